// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "core/secrets/key_control.h"
#include "core/workspace/model.h"
#include "ui/widgets/rows_model.h"

#include <QAbstractTableModel>

namespace sg::ui {

class ConnectionTests;
class EndpointEditor;

/// One endpoint of the draft, with what is known of it.
struct EndpointRow
{
    std::string name;
    QString provider, model, address;
    bool isUsualAddress = false;
    secrets::KeyStatus key;
    bool keyIsChosen = true;
    std::optional<cost::NanoDollars> priceIn, priceOut;
    bool priceIsOwn = false;
    std::optional<std::int64_t> window;
    std::optional<double> rpmLimit;
    QStringList chains;
    int errors = 0, warnings = 0, notes = 0;
    QStringList problems;
    QString test, testWords;
    RowsModel::Tone testTone = RowsModel::Tone::Faint;
    // Of what serves; empty while it does not.
    std::optional<policy::BreakerState> state{};
    std::optional<int> inFlight{};
    std::optional<double> rpmUsed{};
    bool operator==(const EndpointRow&) const = default;
};

/// The draft's endpoints as a table. Updates by difference, never by reset: a row that was renamed stays the row.
class EndpointsModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        State,
        Name,
        Provider,
        Model,
        Address,
        Key,
        PriceIn,
        PriceOut,
        Window,
        Rate,
        InFlight,
        Chains,
        Test,
        Findings,
        ColumnCount
    };
    enum Role { RowRole = Qt::UserRole + 100, SortRole, ToneRole };

    explicit EndpointsModel(QObject* parent = nullptr);

    void setRows(std::vector<EndpointRow> rows); ///< what serves is kept
    void setLive(const observe::Snapshot& snapshot);
    const std::vector<EndpointRow>& rows() const { return rows_; }
    int rowOf(const std::string& name) const; ///< -1: none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void update(int at, EndpointRow row);
    static void takeLive(EndpointRow& row, const observe::EndpointView* view);

    std::vector<EndpointRow> rows_;
};

std::vector<EndpointRow> endpointRows(EndpointEditor& editor, const ConnectionTests& tests);

} // namespace sg::ui
