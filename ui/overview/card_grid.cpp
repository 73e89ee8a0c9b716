// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/card_grid.h"
#include "ui/overview/breaker_card.h"

namespace sg::ui {

namespace {

constexpr int kGutter = 10, kNarrowest = 250, kFewestColumns = 4, kRowsShown = 2, kPeek = 34, kScrollBar = 10;

}

CardGrid::CardGrid(ThemeContext& context, QWidget* parent)
    : QScrollArea(parent)
    , context_(context)
    , canvas_(new QWidget)
{
    setWidget(canvas_);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setAutoFillBackground(false);
    canvas_->setAutoFillBackground(false);
}

void CardGrid::setEndpoints(const std::vector<observe::EndpointView>& endpoints, std::int64_t nowUnixMs)
{
    const std::size_t before = cards_.size();
    while (cards_.size() > endpoints.size()) {
        cards_.back()->deleteLater();
        cards_.back()->hide();
        cards_.pop_back();
    }
    while (cards_.size() < endpoints.size()) {
        auto* card = new BreakerCard(context_, canvas_);
        connect(card, &BreakerCard::commandRequested, this, &CardGrid::commandRequested);
        cards_.push_back(card);
    }
    for (std::size_t i = 0; i < endpoints.size(); ++i)
        cards_[i]->setFacts(cardFacts(endpoints[i], nowUnixMs, context_.theme().reducedMotion));
    if (before == cards_.size())
        return;
    arrange();
    for (auto* card : cards_)
        card->show();
    Q_EMIT countChanged();
}

int CardGrid::columnsFor(int width, bool isNarrow) const
{
    const int fitting = std::max(1, (width + kGutter) / (kNarrowest + kGutter));
    const int most = isNarrow ? std::min(3, fitting) : fitting;
    return std::min(most, std::max(kFewestColumns, static_cast<int>(cards_.size())));
}

int CardGrid::heightFor(int width, bool isNarrow) const
{
    const int columns = columnsFor(width, isNarrow);
    const int rows = (static_cast<int>(cards_.size()) + columns - 1) / columns;
    const int step = BreakerCard::kHeight + kGutter;
    return rows <= kRowsShown ? rows * step - kGutter : 2 * step + kPeek;
}

void CardGrid::setNarrow(bool isNarrow)
{
    isNarrow_ = isNarrow;
    arrange();
}

void CardGrid::arrange()
{
    const int columns = columnsFor(width(), isNarrow_);
    const int rows = (static_cast<int>(cards_.size()) + columns - 1) / columns;
    const int step = BreakerCard::kHeight + kGutter;
    const bool scrolls = rows > kRowsShown;
    const int room = width() - (scrolls ? kScrollBar : 0);
    for (int i = 0; i < static_cast<int>(cards_.size()); ++i) {
        const int column = i % columns;
        const int left = qRound(double(room + kGutter) * column / columns);
        const int right = qRound(double(room + kGutter) * (column + 1) / columns) - kGutter;
        cards_[static_cast<std::size_t>(i)]->setGeometry(left, i / columns * step, right - left, BreakerCard::kHeight);
    }
    canvas_->resize(room, std::max(0, rows * step - kGutter));
}

void CardGrid::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    arrange();
}

BreakerCard* CardGrid::card(const QString& endpoint) const
{
    const auto found = std::find_if(cards_.begin(), cards_.end(),
                                    [&](const BreakerCard* card) { return card->facts().name == endpoint; });
    return found == cards_.end() ? nullptr : *found;
}

void CardGrid::reveal(const QString& endpoint)
{
    auto* found = card(endpoint);
    if (!found)
        return;
    ensureWidgetVisible(found, 0, 0);
    found->setFocus(Qt::ShortcutFocusReason);
}

} // namespace sg::ui
