// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_traffic.h"

#include "ui/edit/field_rows.h"
#include "ui/edit/section_head.h"
#include "ui/format/format.h"
#include "ui/gateway/gateway_passages.h"
#include "ui/gateway/gateway_snippets.h"
#include "ui/gateway/gateway_words.h"
#include "ui/widgets/rows_table.h"
#include "ui/widgets/sparkline.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QTableView>

#include <cmath>

namespace sg::ui {

namespace {

constexpr int kRow = 22, kLineHigh = 40, kLeastRows = 5;
constexpr int kRowLeft = 12, kRowRight = 11; ///< what a table's rows keep free at their ends
constexpr double kLeastTop = 1;              ///< requests a second: one alone is no mountain

double highest(const observe::Series& values)
{
    const auto range = paint::rangeOf({&values});
    return range ? range->second : 0;
}

} // namespace

GatewayRateLine::GatewayRateLine(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setObjectName(QStringLiteral("gatewayRate"));
    setFixedHeight(kLineHigh);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void GatewayRateLine::setValues(const observe::Series& values)
{
    values_ = values;
    update();
}

void GatewayRateLine::paintEvent(QPaintEvent*)
{
    const Tokens& c = context_.c();
    QPainter p(this);
    paint::Spark spark;
    spark.values = values_;
    spark.colour = c.accent;
    spark.range = std::pair(0.0, std::max(highest(values_), kLeastTop));
    paint::sparkline(p, QRectF(rect()), spark);
}

GatewayTraffic::GatewayTraffic(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("gatewayTraffic"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(7);
    auto* words = new QVBoxLayout;
    words->setContentsMargins(kRowLeft, 0, kRowRight, 0);
    words->setSpacing(7);
    column->addLayout(words);
    makeRate(context, words);
    makeTable(context, words, column);
    makeEmpty(column);
}

void GatewayTraffic::makeRate(ThemeContext& context, QVBoxLayout* column)
{
    rateHead_ = new SectionHead(tr("Requests per second"));
    peak_ = captionLabel();
    rateHead_->setCorner(peak_);
    column->addWidget(rateHead_);
    line_ = new GatewayRateLine(context);
    column->addWidget(line_);
    refused_ = wrappedLabel("caption");
    refused_->setObjectName(QStringLiteral("gatewayRefusals"));
    refused_->setToolTip(tr("Nobody was asked for these: the gateway refused them, or they could not be understood."));
    column->addWidget(refused_);
}

void GatewayTraffic::makeTable(ThemeContext& context, QVBoxLayout* words, QVBoxLayout* column)
{
    latestHead_ = new SectionHead(tr("Latest requests"));
    latestHead_->setNote(tr("newest first"));
    words->addWidget(latestHead_);
    rows_ = new RowsModel(gatewaypassages::columns(), this);
    table_ = makeRowsTable(context, rows_, kRow, gatewaypassages::Asked, tr("Latest requests through the gateway"));
    table_->setObjectName(QStringLiteral("gatewayLatest"));
    table_->horizontalHeader()->setSectionResizeMode(gatewaypassages::Answered, QHeaderView::Stretch);
    for (const auto& each : gatewaypassages::widths())
        table_->setColumnWidth(each.column, each.px);
    table_->setMinimumHeight(kRow * (kLeastRows + 1));
    column->addWidget(table_, 1);
}

void GatewayTraffic::resizeEvent(QResizeEvent*)
{
    for (const auto& each : gatewaypassages::widths())
        table_->setColumnHidden(each.column, width() < each.goesAt);
}

void GatewayTraffic::makeEmpty(QVBoxLayout* column)
{
    empty_ = new QWidget;
    empty_->setObjectName(QStringLiteral("noTraffic"));
    auto* box = new QVBoxLayout(empty_);
    box->setContentsMargins(kRowLeft, 0, kRowRight, 0);
    box->setSpacing(7);
    emptyWords_ = wrappedLabel("secondary");
    box->addWidget(emptyWords_);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    try_ = new QLineEdit;
    try_->setObjectName(QStringLiteral("tryLine"));
    try_->setReadOnly(true);
    try_->setProperty("mono", true);
    try_->setAccessibleName(tr("A line for a terminal that sends a request"));
    auto* copy = new QPushButton(tr("Copy the line"));
    copy->setObjectName(QStringLiteral("copyTry"));
    copy->setAutoDefault(false);
    row->addWidget(try_, 1);
    row->addWidget(copy);
    box->addLayout(row);
    box->addStretch(1);
    column->addWidget(empty_, 1);
    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(tryLine());
        Q_EMIT copied(gatewaysnippets::title(gatewaysnippets::Form::Curl));
    });
}

QString GatewayTraffic::tryLine() const
{
    return try_->text();
}

void GatewayTraffic::showFeed(const GatewayFeed& feed)
{
    const gateway::Status& status = feed.status();
    line_->setValues(feed.spark());
    const bool isKnown = paint::rangeOf({&feed.spark()}).has_value();
    line_->setVisible(isKnown);
    rateHead_->setVisible(isKnown || gatewaywords::isOn(status.phase));
    rateHead_->setNote(isKnown ? tr("last 2 min") : tr("not known yet"));
    const double peak = highest(feed.spark());
    peak_->setText(peak > 0 ? tr("peak %1").arg(format::rate(peak) + format::thin() + tr("/s")) : QString());
    line_->setAccessibleName(peak > 0 ? tr("Requests per second, at most %1").arg(format::rate(peak))
                                      : tr("Requests per second, none yet"));
    const bool isEmpty = !status.traffic || status.traffic->latest.empty();
    latestHead_->setNote(isEmpty ? QString() : tr("newest first"));
    table_->setVisible(!isEmpty);
    empty_->setVisible(isEmpty);
    if (isEmpty) {
        emptyWords_->setText(gatewaywords::isOn(status.phase)
                                 ? tr("None yet. Send the first one from a terminal:")
                                 : tr("None yet. Start the gateway, then send one from a terminal:"));
        const QString line = gatewaysnippets::text(gatewaysnippets::Form::Curl,
                                                   {status.url, status.models.value(0), feed.tokenVariable()});
        if (try_->text() != line) {
            try_->setText(line);
            try_->setCursorPosition(0);
            try_->setToolTip(format::plainTip(line));
        }
        refused_->hide();
        rows_->setRows({});
        shown_.reset();
    } else if (shown_ != status.traffic) {
        shown_ = status.traffic;
        showTraffic(*shown_);
    }
}

void GatewayTraffic::showTraffic(const gateway::Traffic& traffic)
{
    std::vector<RowsModel::Row> rows;
    rows.reserve(traffic.latest.size());
    for (const gateway::Passage& passage : traffic.latest)
        rows.push_back(gatewaypassages::rowOf(passage));
    rows_->setRows(std::move(rows));
    const QString words = gatewaypassages::refusalsLine(traffic.refusals);
    refused_->setText(words);
    refused_->setVisible(!words.isEmpty());
}

} // namespace sg::ui
