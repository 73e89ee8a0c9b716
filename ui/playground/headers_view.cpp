// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/headers_view.h"

#include "ui/playground/playground_words.h"
#include "ui/playground/wrapped_rows.h"
#include "ui/widgets/rows_table.h"
#include "ui/widgets/segments.h"

#include <QClipboard>
#include <QComboBox>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace sg::ui {

namespace {

constexpr int kMostSegments = 5, kRow = 24;

QPushButton* iconButton(const QString& name)
{
    auto* button = new QPushButton;
    button->setObjectName(QStringLiteral("iconButton"));
    button->setFixedSize(24, 24);
    button->setAccessibleName(name);
    button->setToolTip(name);
    return button;
}

QString nothingWords()
{
    return HeadersView::tr("What a try sends and what comes back shows here.");
}

} // namespace

HeadersView::HeadersView(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , corner_(new QWidget)
    , copy_(iconButton(tr("Copy the headers")))
    , close_(iconButton(tr("Close the headers")))
    , column_(new QVBoxLayout(this))
    , triesPlace_(new QWidget)
    , side_(new Segments({tr("Response"), tr("Request")}, tr("Headers of the"), true))
    , model_(new RowsModel({{tr("name"), false}, {tr("value"), true}}, this))
    , table_(makeRowsTable(context, model_, kRow, 1, tr("Headers")))
    , sentence_(new QLabel)
    , nothing_(new QLabel)
{
    auto* corner = new QHBoxLayout(corner_);
    corner->setContentsMargins(0, 3, 0, 0);
    corner->setSpacing(4);
    corner->addWidget(copy_);
    corner->addWidget(close_);
    auto* tries = new QHBoxLayout(triesPlace_);
    tries->setContentsMargins(0, 0, 0, 0);
    auto* bar = new QWidget;
    auto* barColumn = new QVBoxLayout(bar);
    barColumn->setContentsMargins(12, 2, 12, 8);
    barColumn->setSpacing(6);
    barColumn->addWidget(triesPlace_);
    barColumn->addWidget(side_);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(0);
    column_->addWidget(bar);
    column_->addWidget(table_, 1);
    table_->horizontalHeader()->hide();
    table_->setItemDelegate(new WrappedRows(context, *table_, kRow));
    table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel); // a row may be higher than the view
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    sentence_->setProperty("role", QStringLiteral("secondary"));
    sentence_->setContentsMargins(12, 6, 12, 8);
    nothing_->setWordWrap(true);
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setProperty("role", QStringLiteral("secondary"));
    nothing_->setContentsMargins(24, 0, 24, 0);
    column_->addWidget(nothing_, 1);
    column_->addWidget(sentence_);
    connect(side_, &Segments::selected, this, &HeadersView::refresh);
    connect(copy_, &QPushButton::clicked, this, &HeadersView::copy);
    connect(close_, &QPushButton::clicked, this, &HeadersView::closeClicked);
    connect(&context, &ThemeContext::changed, this, &HeadersView::dress);
    dress();
    clear();
}

void HeadersView::dress()
{
    copy_->setIcon(iconOf(QStringLiteral("copy"), context_.c().text2, {}, 14));
    close_->setIcon(iconOf(QStringLiteral("close"), context_.c().text2, {}, 14));
}

void HeadersView::makeTries(int tries)
{
    if (tries == triesShown_)
        return;
    triesShown_ = tries;
    delete std::exchange(tries_, nullptr);
    delete std::exchange(triesBox_, nullptr);
    if (tries > 0 && tries <= kMostSegments) {
        QStringList names{tr("Try 1")};
        for (int i = 2; i <= tries; ++i)
            names << QString::number(i);
        tries_ = new Segments(names, tr("Try"), true);
        triesPlace_->layout()->addWidget(tries_);
        // Made late, they would come last.
        QWidget* before = close_;
        for (QToolButton* button : tries_->findChildren<QToolButton*>())
            setTabOrder(std::exchange(before, button), button);
        connect(tries_, &Segments::selected, this, [this](int index) {
            if (!isSilent_)
                Q_EMIT attemptSelected(index + 1);
        });
    } else if (tries > kMostSegments) {
        triesBox_ = new QComboBox;
        triesBox_->setAccessibleName(tr("Try"));
        triesBox_->setFixedHeight(26);
        for (int i = 1; i <= tries; ++i)
            triesBox_->addItem(tr("Try %1 of %2").arg(i).arg(tries));
        triesPlace_->layout()->addWidget(triesBox_);
        setTabOrder(close_, triesBox_);
        connect(triesBox_, &QComboBox::currentIndexChanged, this, [this](int index) {
            if (!isSilent_)
                Q_EMIT attemptSelected(index + 1);
        });
    }
}

void HeadersView::setView(const engine::WatchViewPtr& view, int attempt)
{
    view_ = view;
    attempt_ = attempt;
    isSilent_ = true;
    makeTries(words::attemptsOf(*view));
    if (tries_)
        tries_->setCurrent(attempt - 1);
    if (triesBox_)
        triesBox_->setCurrentIndex(attempt - 1);
    isSilent_ = false;
    triesPlace_->setVisible(triesShown_ > 0);
    side_->setVisible(true);
    refresh();
}

void HeadersView::setRecorded(const std::vector<RowsModel::Row>& rows)
{
    view_.reset();
    triesPlace_->hide();
    side_->hide();
    model_->setRows(rows);
    table_->setVisible(!rows.empty());
    nothing_->setText(tr("The file has no headers. curl -i saves them too."));
    nothing_->setVisible(rows.empty());
    copy_->setEnabled(!rows.empty());
    sentence_->hide();
    resizeEvent(nullptr);
}

void HeadersView::clear()
{
    view_.reset();
    model_->setRows({});
    triesPlace_->hide();
    side_->hide();
    table_->hide();
    sentence_->hide();
    nothing_->setText(nothingWords());
    nothing_->show();
    copy_->setEnabled(false);
}

void HeadersView::refresh()
{
    if (!view_)
        return;
    const bool ofRequest = side_->current() == 1;
    model_->setRows(words::headerRows(*view_, attempt_, ofRequest));
    const bool hasRows = model_->rowCount() > 0;
    table_->setVisible(hasRows);
    nothing_->setText(nothingWords());
    nothing_->setVisible(!hasRows);
    copy_->setEnabled(hasRows);
    QStringList sentences{ofRequest ? QString() : words::hintSentence(*view_, attempt_),
                          words::oddities(*view_, attempt_)};
    sentences.removeAll(QString());
    sentence_->setText(sentences.join(QLatin1Char('\n')));
    sentence_->setVisible(!sentence_->text().isEmpty());
    resizeEvent(nullptr);
}

void HeadersView::resizeEvent(QResizeEvent*)
{
    const QFontMetricsF mono(context_.theme().mono(10.5));
    double names = 60, values = 40;
    constexpr qsizetype kMost = 80; // longer ones are cut in any case
    for (const RowsModel::Row& row : model_->rows()) {
        names = std::max(names, mono.horizontalAdvance(row[0].text.left(kMost)) + 18);
        values = std::max(values, mono.horizontalAdvance(row[1].text.left(kMost)) + 17);
    }
    const double room = width() - (table_->verticalScrollBar()->isVisible() ? 10 : 0);
    table_->setColumnWidth(0, static_cast<int>(std::min(names, room - std::min(values, room * 0.5))));
}

void HeadersView::copy()
{
    QStringList lines;
    for (const RowsModel::Row& row : model_->rows())
        lines << QStringLiteral("%1: %2").arg(row[0].text, row[1].text);
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

QString HeadersView::sentence() const
{
    return sentence_->text();
}

} // namespace sg::ui
