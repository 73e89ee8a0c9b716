// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/chains/chain_editor.h"
#include "ui/chains/node_mime.h"

#include <QAbstractListModel>
#include <QSortFilterProxyModel>

namespace sg::ui {

/// One line of the palette: a heading, an endpoint of the workspace, or a step.
struct PaletteRow
{
    bool isHeading = false;
    QString title, words; ///< words: price, or what a heading's numbers are
    QString provider;
    NodeKind node;
    bool isUsed = false;                       ///< by a tier of this chain
    std::optional<policy::BreakerState> state; ///< endpoints with a known one
    QString sentence;                          ///< for assistive technology
    bool operator==(const PaletteRow&) const = default;
};

/// What can be put into the chain in front. Follows draft, prices and snapshot; changes by difference.
class PaletteModel : public QAbstractListModel
{
    Q_OBJECT
public:
    explicit PaletteModel(ChainEditor& editor, QObject* parent = nullptr);

    void setLive(const observe::SnapshotPtr& snapshot);
    const PaletteRow& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QStringList mimeTypes() const override { return {nodeMimeType()}; }
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    Qt::DropActions supportedDragActions() const override { return Qt::CopyAction; }

private:
    void refresh();
    std::vector<PaletteRow> wanted() const;
    PaletteRow endpointRow(const workspace::Endpoint& endpoint) const;

    ChainEditor& editor_;
    observe::SnapshotPtr snapshot_;
    std::vector<PaletteRow> rows_;
};

/// Lines whose words contain all that is typed, with the headings of those.
class PaletteFilter : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit PaletteFilter(PaletteModel& model, QObject* parent = nullptr);
    void setWords(const QString& typed);
    const PaletteRow& row(const QModelIndex& index) const { return model_.row(mapToSource(index).row()); }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    bool matches(int row) const;

    PaletteModel& model_;
    QStringList words_;
};

} // namespace sg::ui
