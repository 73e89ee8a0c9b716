// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPaintEngine>
#include <QPainter>
#include <QTableView>

#include <cmath>

/// Whether the words in a window have the room they need, at whatever scale and font it is shown.
namespace sg::test {

/// Takes what is painted on it for the places of its words; nothing is drawn.
class WordPlaces : public QPaintDevice
{
public:
    struct Word
    {
        QString text;
        QRectF place;
    };

    explicit WordPlaces(const QWidget& like)
        : size_(like.size())
        , dpiX_(like.logicalDpiX())
        , dpiY_(like.logicalDpiY())
        , engine_(*this)
    {
    }
    QPaintEngine* paintEngine() const override { return &engine_; }
    const std::vector<Word>& words() const { return words_; }

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        switch (metric) {
        case PdmWidth:
            return size_.width();
        case PdmHeight:
            return size_.height();
        case PdmDpiX:
        case PdmPhysicalDpiX:
            return dpiX_;
        case PdmDpiY:
        case PdmPhysicalDpiY:
            return dpiY_;
        case PdmDepth:
            return 32;
        case PdmNumColors:
            return 0;
        case PdmWidthMM:
            return size_.width() * 254 / 10 / dpiX_;
        case PdmHeightMM:
            return size_.height() * 254 / 10 / dpiY_;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        }
        return 0;
    }

private:
    class Engine : public QPaintEngine
    {
    public:
        explicit Engine(WordPlaces& places)
            : QPaintEngine(AllFeatures)
            , places_(places)
        {
        }
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState&) override {}
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawPath(const QPainterPath&) override {}
        void drawTextItem(const QPointF& at, const QTextItem& item) override
        {
            if (item.text().trimmed().isEmpty())
                return;
            const QRectF box(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent());
            places_.words_.push_back({item.text(), painter()->combinedTransform().mapRect(box)});
        }
        Type type() const override { return User; }

    private:
        WordPlaces& places_;
    };

    QSize size_;
    int dpiX_, dpiY_;
    std::vector<Word> words_;
    mutable Engine engine_;
};

inline QString placed(const QWidget& widget, const QString& text, const char* what)
{
    QStringList way;
    for (const QWidget* at = &widget; at && way.size() < 4; at = at->parentWidget())
        way.prepend(at->objectName().isEmpty() ? QLatin1String(at->metaObject()->className()) : at->objectName());
    return QStringLiteral("%1: \"%2\" %3 (%4 × %5)")
        .arg(way.join(QLatin1Char('/')), text.left(60), QLatin1String(what))
        .arg(widget.width())
        .arg(widget.height());
}

/// Part of it lies outside of what is around it and cannot be scrolled to.
inline bool isCutByParents(const QWidget& widget)
{
    QRect place(QPoint(), widget.size());
    for (const QWidget* at = &widget; !at->isWindow() && at->parentWidget(); at = at->parentWidget()) {
        place.translate(at->pos());
        const QWidget* parent = at->parentWidget();
        const auto* area = qobject_cast<const QAbstractScrollArea*>(parent->parentWidget());
        if (area && area->viewport() == parent) // what is beyond its edges is scrolled to, downwards
            return place.left() < 0 || place.right() >= parent->width();
        if (!parent->rect().contains(place))
            return true;
    }
    return false;
}

inline void addLabels(const QWidget& root, QStringList& cut)
{
    for (const QLabel* label : root.findChildren<QLabel*>()) {
        if (!label->isVisible() || label->text().isEmpty())
            continue;
        const bool fits = label->wordWrap() ? label->height() >= label->heightForWidth(label->width())
                                            : label->width() >= label->sizeHint().width() &&
                                                  label->height() >= label->minimumSizeHint().height();
        if (!fits)
            cut << placed(*label, label->text(), "is cut");
        else if (isCutByParents(*label))
            cut << placed(*label, label->text(), "is cut by what is around it");
    }
}

inline void addButtons(const QWidget& root, QStringList& cut)
{
    for (const QAbstractButton* button : root.findChildren<QAbstractButton*>()) {
        if (!button->isVisible() || button->text().isEmpty())
            continue;
        const QSizeF words = QFontMetricsF(button->font()).size(Qt::TextShowMnemonic, button->text());
        if (button->width() < std::floor(words.width()) || button->height() < std::floor(words.height()))
            cut << placed(*button, button->text(), "is cut");
        else if (isCutByParents(*button))
            cut << placed(*button, button->text(), "is cut by what is around it");
    }
}

inline void addHeads(const QWidget& root, QStringList& cut)
{
    for (const QHeaderView* head : root.findChildren<QHeaderView*>()) {
        if (!head->isVisible() || head->orientation() != Qt::Horizontal)
            continue;
        const QFontMetricsF metrics(head->font());
        for (int i = 0; i < head->count(); ++i) {
            const QString title = head->model()->headerData(i, Qt::Horizontal).toString();
            if (title.isEmpty() || head->isSectionHidden(i))
                continue;
            const QSizeF words = metrics.size(0, title); // may be two lines
            if (words.width() > head->sectionSize(i) || words.height() > head->height())
                cut << placed(*head, title, "is cut");
        }
    }
}

inline void addFields(const QWidget& root, QStringList& cut)
{
    for (const QWidget* field : root.findChildren<QWidget*>()) {
        const auto* box = qobject_cast<const QComboBox*>(field);
        const auto* line = qobject_cast<const QLineEdit*>(field);
        if (!field->isVisible() || (!box && !line))
            continue;
        const QFontMetricsF metrics(field->font());
        if (field->height() < std::floor(metrics.height()))
            cut << placed(*field, box ? box->currentText() : line->text(), "is cut in height");
        if (box && box->width() < metrics.horizontalAdvance(box->currentText()))
            cut << placed(*field, box->currentText(), "is cut");
    }
    for (const QTableView* table : root.findChildren<QTableView*>()) {
        if (!table->isVisible() || table->model()->rowCount() == 0)
            continue;
        if (table->rowHeight(0) < std::floor(QFontMetricsF(table->font()).height()))
            cut << placed(*table, table->accessibleName(), "has rows that are too low");
    }
}

/// What widgets write by themselves.
inline void addPainted(QWidget& root, QStringList& cut)
{
    for (QWidget* widget : root.findChildren<QWidget*>()) {
        if (!widget->isVisible() || qobject_cast<QLabel*>(widget) || qobject_cast<QAbstractButton*>(widget) ||
            qobject_cast<QAbstractScrollArea*>(widget->parentWidget()) || widget->inherits("QLineEdit"))
            continue;
        WordPlaces places(*widget);
        widget->render(&places, QPoint(), QRegion(), {});
        const QRectF room = QRectF(widget->rect()).adjusted(-1, -2, 1, 2); // a font's box is larger than its letters
        for (const WordPlaces::Word& word : places.words())
            if (!room.contains(word.place))
                cut << placed(*widget, word.text, "is painted across the edge");
    }
}

/// One line for each text in `root` that is cut; empty: all can be read.
inline QStringList cutWords(QWidget& root)
{
    QStringList cut;
    addLabels(root, cut);
    addButtons(root, cut);
    addHeads(root, cut);
    addFields(root, cut);
    addPainted(root, cut);
    cut.removeDuplicates();
    return cut;
}

} // namespace sg::test
