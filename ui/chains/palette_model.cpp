// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/palette_model.h"
#include "ui/chains/insert_node.h"
#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <algorithm>

namespace sg::ui {

namespace {

QString priceText(std::optional<cost::NanoDollars> price)
{
    if (!price)
        return format::unknown();
    const double usd = price->toUsd();
    return format::number(usd, usd > 0 && usd < 0.00995 ? 4 : 2);
}

bool isSameLine(const PaletteRow& a, const PaletteRow& b)
{
    return a.isHeading == b.isHeading && a.node == b.node && (!a.isHeading || a.title == b.title);
}

} // namespace

PaletteModel::PaletteModel(ChainEditor& editor, QObject* parent)
    : QAbstractListModel(parent)
    , editor_(editor)
    , rows_(wanted())
{
    connect(&editor, &ChainEditor::chainChanged, this, &PaletteModel::refresh);
    connect(&editor.serving(), &ServingControl::factsChanged, this, &PaletteModel::refresh);
}

void PaletteModel::setLive(const observe::SnapshotPtr& snapshot)
{
    if (snapshot == snapshot_)
        return;
    snapshot_ = snapshot;
    refresh();
}

PaletteRow PaletteModel::endpointRow(const workspace::Endpoint& endpoint) const
{
    PaletteRow row;
    row.node = {NodeKind::Kind::Endpoint, endpoint.spec.name};
    row.title = nodeName(row.node);
    row.provider = endpoint.provider;
    const auto price = workspace::priceOf(endpoint, editor_.serving().prices());
    row.words = price && (price->input || price->output)
                    ? QStringLiteral("%1 / %2").arg(priceText(price->input), priceText(price->output))
                    : tr("no price");
    if (const workspace::Chain* chain = editor_.chain()) {
        row.isUsed = std::any_of(chain->spec.tiers.begin(), chain->spec.tiers.end(), [&](const chain::TierSpec& tier) {
            return tier.kind == chain::TierKind::Endpoint && tier.endpoint == endpoint.spec.name;
        });
    }
    if (snapshot_) {
        const auto& views = snapshot_->endpoints;
        const auto found =
            std::find_if(views.begin(), views.end(), [&](const auto& view) { return view.name == endpoint.spec.name; });
        if (found != views.end())
            row.state = found->state;
    }
    QStringList parts{row.title, endpoint.provider,
                      price && price->input && price->output
                          ? tr("%1 in, %2 out per million tokens")
                                .arg(format::money(price->input->toUsd()), format::money(price->output->toUsd()))
                          : tr("no price")};
    if (row.state)
        parts << tr("breaker %1").arg(paint::stateWord(*row.state));
    parts << (row.isUsed ? tr("in this chain") : tr("not in this chain"));
    row.sentence = parts.join(QStringLiteral(", "));
    return row;
}

std::vector<PaletteRow> PaletteModel::wanted() const
{
    std::vector<PaletteRow> rows;
    const auto heading = [&](const QString& title, const QString& words) {
        PaletteRow row;
        row.isHeading = true;
        row.title = row.sentence = title;
        row.words = words;
        rows.push_back(row);
    };
    heading(tr("Endpoints"), tr("$ per M tokens in / out"));
    for (const workspace::Endpoint& endpoint : editor_.draft().workspace().endpoints)
        rows.push_back(endpointRow(endpoint));
    heading(tr("Steps"), {});
    using Kind = NodeKind::Kind;
    for (const Kind kind : {Kind::Limiter, Kind::Cache, Kind::Split, Kind::Router, Kind::Canned}) {
        PaletteRow row;
        row.node.kind = kind;
        row.title = row.sentence = nodeName(row.node);
        rows.push_back(row);
    }
    return rows;
}

void PaletteModel::refresh()
{
    const std::vector<PaletteRow> next = wanted();
    for (std::size_t i = 0; i < next.size(); ++i) {
        const int at = static_cast<int>(i);
        const auto from = rows_.begin() + static_cast<std::ptrdiff_t>(std::min(i, rows_.size()));
        const auto found = std::find_if(from, rows_.end(), [&](const PaletteRow& r) { return isSameLine(r, next[i]); });
        if (found == rows_.end()) {
            beginInsertRows({}, at, at);
            rows_.insert(from, next[i]);
            endInsertRows();
            continue;
        }
        if (found != from) {
            beginRemoveRows({}, at, static_cast<int>(found - rows_.begin()) - 1);
            rows_.erase(from, found);
            endRemoveRows();
        }
        if (rows_[i] != next[i]) {
            rows_[i] = next[i];
            Q_EMIT dataChanged(index(at), index(at));
        }
    }
    if (rows_.size() > next.size()) {
        beginRemoveRows({}, static_cast<int>(next.size()), static_cast<int>(rows_.size()) - 1);
        rows_.resize(next.size());
        endRemoveRows();
    }
}

int PaletteModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const PaletteRow& shown = row(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return shown.title;
    case Qt::AccessibleTextRole:
        return shown.sentence;
    case Qt::ToolTipRole:
        return shown.isHeading ? QVariant() : QVariant(format::plainTip(shown.sentence));
    default:
        return {};
    }
}

Qt::ItemFlags PaletteModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const auto leaf = Qt::ItemNeverHasChildren;
    return row(index.row()).isHeading ? leaf : leaf | Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled;
}

QMimeData* PaletteModel::mimeData(const QModelIndexList& indexes) const
{
    if (indexes.isEmpty() || row(indexes.front().row()).isHeading)
        return nullptr;
    auto* mime = new QMimeData;
    writeNode(*mime, row(indexes.front().row()).node);
    return mime;
}

PaletteFilter::PaletteFilter(PaletteModel& model, QObject* parent)
    : QSortFilterProxyModel(parent)
    , model_(model)
{
    setSourceModel(&model);
}

void PaletteFilter::setWords(const QString& typed)
{
    words_ = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool PaletteFilter::matches(int row) const
{
    const QString& text = model_.row(row).sentence;
    return std::all_of(words_.begin(), words_.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

bool PaletteFilter::filterAcceptsRow(int row, const QModelIndex&) const
{
    if (words_.isEmpty())
        return true;
    if (!model_.row(row).isHeading)
        return matches(row);
    for (int i = row + 1; i < model_.rowCount() && !model_.row(i).isHeading; ++i) {
        if (matches(i))
            return true;
    }
    return false;
}

} // namespace sg::ui
