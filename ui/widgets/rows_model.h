// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>

#include <vector>

namespace sg::ui {

/// Small tables of text whose looks come with the cell. Updates by difference, never by reset, so that selection and
/// scroll position stay.
class RowsModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum class Tone { Plain, Soft, Faint, Accent, Good, Bad, Warned };
    enum class Swatch { None, Model, Cache, Canned, Refused, Failed };
    enum Role { ToneRole = Qt::UserRole, BoldRole, SwatchRole, MonoRole };

    struct Cell
    {
        QString text;
        Tone tone = Tone::Plain;
        bool bold = false;
        Swatch swatch = Swatch::None;
        QString tip;
        bool mono{};
        bool operator==(const Cell&) const = default;
    };
    using Row = std::vector<Cell>;
    struct Column
    {
        QString title;
        bool isNumber = false;
    };

    explicit RowsModel(std::vector<Column> columns, QObject* parent = nullptr);

    void setRows(std::vector<Row> rows); ///< each as wide as the columns
    const std::vector<Row>& rows() const { return rows_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<Column> columns_;
    std::vector<Row> rows_;
};

} // namespace sg::ui
