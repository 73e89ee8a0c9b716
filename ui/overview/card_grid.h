// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/commands.h"
#include "core/observe/snapshot.h"
#include "ui/theme/theme.h"

#include <QScrollArea>

#include <vector>

namespace sg::ui {

class BreakerCard;

/// The breaker cards in as many columns as fit. From the third row on it scrolls and shows a bit of the
/// next row: lanes and charts stay in view.
class CardGrid : public QScrollArea
{
    Q_OBJECT
public:
    explicit CardGrid(ThemeContext& context, QWidget* parent = nullptr);

    void setEndpoints(const std::vector<observe::EndpointView>& endpoints, std::int64_t nowUnixMs);
    /// `isNarrow`: never more than three columns.
    int heightFor(int width, bool isNarrow) const;
    void setNarrow(bool isNarrow);
    BreakerCard* card(const QString& endpoint) const;
    const std::vector<BreakerCard*>& cards() const { return cards_; }
    void reveal(const QString& endpoint); ///< scrolls to a card and gives it the focus

Q_SIGNALS:
    void commandRequested(const QString& endpoint, sg::observe::BreakerCommand command);
    void countChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int columnsFor(int width, bool isNarrow) const;
    void arrange();

    ThemeContext& context_;
    QWidget* canvas_;
    std::vector<BreakerCard*> cards_;
    bool isNarrow_ = false;
};

} // namespace sg::ui
