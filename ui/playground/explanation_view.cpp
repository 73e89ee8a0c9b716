// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/explanation_view.h"

#include "ui/widgets/paint.h"
#include "ui/widgets/rows_table.h"
#include "ui/widgets/segments.h"

#include <QClipboard>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <cmath>

namespace sg::ui {

namespace {

constexpr int kNames = 150, kRow = 22, kLeft = 4, kRight = 12, kInset = 4;

QFont fontOf(const QModelIndex& index, const Theme& theme)
{
    return index.data(RowsModel::MonoRole).toBool() ? theme.mono(10.5)
                                                    : theme.font(11, index.data(RowsModel::BoldRole).toBool());
}

int wrapOf(const QString& text)
{
    // Sentences break between words; what is one long word, as compact JSON, breaks where it must.
    const int wrap = text.contains(QLatin1Char(' ')) ? Qt::TextWordWrap : Qt::TextWrapAnywhere;
    return wrap | Qt::AlignLeft | Qt::AlignTop;
}

/// Breaks the second column's text instead of cutting it.
class FactsDelegate : public RowsDelegate
{
public:
    FactsDelegate(ThemeContext& context, QObject* parent)
        : RowsDelegate(context, parent)
        , context_(context)
    {
    }

    int heightOf(const QModelIndex& index, int width) const
    {
        const QString text = index.data().toString();
        const QFontMetricsF metrics(fontOf(index, context_.theme()));
        const QRectF room(0, 0, std::max(40, width - kLeft - kRight), 1e6);
        return std::max(kRow, static_cast<int>(std::ceil(metrics.boundingRect(room, wrapOf(text), text).height())) +
                                  2 * kInset);
    }

    void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = context_.theme();
        if (index.column() == 0) {
            // The name stands beside the first line.
            QStyleOptionViewItem line(option);
            if (option.state & QStyle::State_Selected)
                p->fillRect(option.rect, theme.c.selected);
            line.rect.setHeight(kRow);
            return RowsDelegate::paint(p, line, index);
        }
        p->save();
        const bool isSelected = option.state & QStyle::State_Selected;
        if (isSelected)
            p->fillRect(option.rect, theme.c.selected);
        const QString text = index.data().toString();
        p->setFont(fontOf(index, theme));
        p->setPen(inkOf(static_cast<RowsModel::Tone>(index.data(RowsModel::ToneRole).toInt()), isSelected, theme.c));
        p->drawText(QRectF(option.rect).adjusted(kLeft, kInset - 1, -kRight, 0), wrapOf(text), text);
        if (option.state & QStyle::State_HasFocus) {
            p->setRenderHint(QPainter::Antialiasing);
            paint::focusRing(*p, QRectF(option.rect).adjusted(1, 0, -1, 0), theme, 3);
        }
        p->restore();
    }

private:
    ThemeContext& context_;
};

} // namespace

ExplanationView::ExplanationView(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , form_(new Segments({tr("Facts"), tr("JSON")}, tr("Explanation as"), true))
    , corner_(makeCorner())
    , model_(new RowsModel({{tr("fact"), false}, {tr("value"), false}}, this))
    , table_(makeRowsTable(context, model_, kRow, 1, tr("How Switchgear reads it")))
    , json_(new QPlainTextEdit)
    , stack_(new QStackedWidget)
{
    table_->setItemDelegate(new FactsDelegate(context, table_));
    table_->horizontalHeader()->hide();
    table_->setColumnWidth(0, kNames);
    table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    json_->setReadOnly(true);
    json_->setUndoRedoEnabled(false);
    json_->setAcceptDrops(false);
    json_->setTabChangesFocus(true);
    json_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    json_->setProperty("role", QStringLiteral("reading"));
    json_->setProperty("mono", true);
    json_->setAccessibleName(tr("Explanation as JSON"));
    stack_->addWidget(table_);
    stack_->addWidget(json_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 2, 0, 4);
    column->addWidget(stack_);
    connect(form_, &Segments::selected, stack_, &QStackedWidget::setCurrentIndex);
    connect(&context, &ThemeContext::changed, this, &ExplanationView::fitRows);
}

QWidget* ExplanationView::makeCorner()
{
    headersButton_ = new QPushButton(tr("Headers"));
    headersButton_->setToolTip(tr("Show the headers of the answer"));
    headersButton_->hide();
    auto* copy = new QPushButton(tr("Copy"));
    copy->setToolTip(tr("What is shown: the facts as lines, or the JSON"));
    copy->setAccessibleName(tr("Copy the explanation"));
    auto* save = new QPushButton(tr("Save as JSON…"));
    save->setAccessibleName(tr("Save the explanation as JSON"));
    auto* corner = new QWidget;
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 4, 0, 2);
    row->setSpacing(6);
    row->addWidget(form_);
    for (QPushButton* button : {headersButton_, copy, save})
        row->addWidget(button);
    connect(headersButton_, &QPushButton::clicked, this, &ExplanationView::headersClicked);
    connect(copy, &QPushButton::clicked, this, &ExplanationView::copy);
    connect(save, &QPushButton::clicked, this, &ExplanationView::saveClicked);
    return corner;
}

void ExplanationView::setHeadersButtonVisible(bool visible)
{
    headersButton_->setVisible(visible);
}

void ExplanationView::setRecorded(const RecordedView& recorded)
{
    model_->setRows(recorded.facts);
    const QString json = QString::fromUtf8(recorded.json);
    if (json_->toPlainText() != json)
        json_->setPlainText(json);
    fitRows();
}

void ExplanationView::fitRows()
{
    const auto* delegate = static_cast<const FactsDelegate*>(table_->itemDelegate());
    // The scroll bar's room is always left out: it must not come and go with the breaks that it makes.
    const int width = this->width() - kNames - table_->verticalScrollBar()->sizeHint().width();
    for (int row = 0; row < model_->rowCount(); ++row)
        table_->setRowHeight(row, delegate->heightOf(model_->index(row, 1), width));
}

void ExplanationView::resizeEvent(QResizeEvent*)
{
    fitRows();
}

void ExplanationView::copy()
{
    if (form_->current() == 1)
        return QGuiApplication::clipboard()->setText(json());
    QStringList lines;
    for (const RowsModel::Row& row : model_->rows())
        lines << QStringLiteral("%1: %2").arg(row[0].text, row[1].text);
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

QString ExplanationView::json() const
{
    return json_->toPlainText();
}

} // namespace sg::ui
