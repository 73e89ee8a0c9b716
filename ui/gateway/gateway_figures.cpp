// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_figures.h"

#include "ui/edit/field_rows.h"
#include "ui/format/format.h"
#include "ui/gateway/gateway_words.h"

#include <QGridLayout>
#include <QLabel>

namespace sg::ui {

namespace {
constexpr int kColumns = 4;
}

GatewayFigures::GatewayFigures(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("gatewayFigures"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(0);
    int at = 0;
    for (const gatewaywords::Figure& figure : gatewaywords::figuresOf({}, {})) {
        auto* value = new QLabel;
        value->setProperty("role", QStringLiteral("heading"));
        value->setTextFormat(Qt::PlainText);
        value->setWhatsThis(figure.meaning);
        value->setToolTip(figure.meaning);
        auto* name = captionLabel(figure.name);
        name->setToolTip(figure.meaning);
        const int row = at / kColumns * 3, column = at % kColumns;
        grid->addWidget(value, row, column);
        grid->addWidget(name, row + 1, column);
        grid->setColumnStretch(column, 1);
        grid->setColumnMinimumWidth(column, 1);
        if (row > 0)
            grid->setRowMinimumHeight(row - 1, 6);
        cells_.push_back({value, name});
        ++at;
    }
}

void GatewayFigures::showFeed(const GatewayFeed& feed)
{
    const auto figures = gatewaywords::figuresOf(feed.status(), feed.requestsPerSecond());
    for (std::size_t i = 0; i < figures.size() && i < cells_.size(); ++i) {
        const gatewaywords::Figure& figure = figures[i];
        const QString text = figure.unit.isEmpty() || figure.value == format::unknown()
                                 ? figure.value
                                 : figure.value + format::thin() + figure.unit;
        if (cells_[i].value->text() == text)
            continue;
        cells_[i].value->setText(text);
        cells_[i].value->setAccessibleName(figure.words());
    }
}

} // namespace sg::ui
