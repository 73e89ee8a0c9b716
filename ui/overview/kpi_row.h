// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/overview/kpi_tile.h"

namespace sg::ui {

/// The five tiles on top: requests, success, latency, cost, cache.
class KpiRow : public QWidget
{
    Q_OBJECT
public:
    explicit KpiRow(ThemeContext& context, QWidget* parent = nullptr);

    void setNumbers(const observe::Snapshot& snapshot, std::int64_t nowUnixMs);
    void setCourses(const observe::Snapshot& snapshot);
    KpiTile* tile(int index) const { return tiles_.at(static_cast<std::size_t>(index)); }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    ThemeContext& context_;
    std::array<KpiTile*, 5> tiles_{};
};

} // namespace sg::ui
