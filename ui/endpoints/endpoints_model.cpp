// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/endpoints/endpoints_model.h"

#include "core/workspace/edits.h"
#include "ui/endpoints/connection_tests.h"
#include "ui/endpoints/endpoint_editor.h"
#include "ui/endpoints/endpoint_words.h"
#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

namespace words = endpointwords;
using Tone = RowsModel::Tone;

bool isNumber(int column)
{
    switch (column) {
    case EndpointsModel::PriceIn:
    case EndpointsModel::PriceOut:
    case EndpointsModel::Window:
    case EndpointsModel::Rate:
    case EndpointsModel::InFlight:
    case EndpointsModel::Chains:
        return true;
    default:
        return false;
    }
}

QString rateText(const EndpointRow& row)
{
    const auto count = [](double value) { return format::count(std::llround(value)); };
    if (row.rpmUsed && row.rpmLimit)
        return QStringLiteral("%1\u202F/\u202F%2").arg(count(*row.rpmUsed), format::shortCount(*row.rpmLimit));
    if (row.rpmUsed)
        return count(*row.rpmUsed);
    return row.rpmLimit ? format::shortCount(*row.rpmLimit) : format::unknown();
}

QString findingsWord(const EndpointRow& row)
{
    QStringList parts;
    if (row.errors > 0)
        parts << (row.errors == 1 ? EndpointsModel::tr("1 error") : EndpointsModel::tr("%1 errors").arg(row.errors));
    if (row.warnings > 0)
        parts << (row.warnings == 1 ? EndpointsModel::tr("1 warning")
                                    : EndpointsModel::tr("%1 warnings").arg(row.warnings));
    if (row.notes > 0)
        parts << (row.notes == 1 ? EndpointsModel::tr("1 note") : EndpointsModel::tr("%1 notes").arg(row.notes));
    return parts.join(QStringLiteral(", "));
}

QString stateText(const EndpointRow& row)
{
    return row.state ? paint::stateWord(*row.state) : EndpointsModel::tr("not serving");
}

QString cellText(const EndpointRow& row, int column)
{
    switch (column) {
    case EndpointsModel::State:
        return stateText(row);
    case EndpointsModel::Name:
        return QString::fromStdString(row.name);
    case EndpointsModel::Provider:
        return row.provider;
    case EndpointsModel::Model:
        return row.model.isEmpty() ? EndpointsModel::tr("not chosen") : row.model;
    case EndpointsModel::Address:
        return row.address.isEmpty() ? EndpointsModel::tr("missing") : row.address;
    case EndpointsModel::Key:
        return words::keyWord(row.key, row.keyIsChosen);
    case EndpointsModel::PriceIn:
        return words::rate(row.priceIn);
    case EndpointsModel::PriceOut:
        return words::rate(row.priceOut);
    case EndpointsModel::Window:
        if (!row.window)
            return format::unknown();
        return *row.window < 10'000'000 ? format::count(*row.window)
                                        : format::shortCount(static_cast<double>(*row.window));
    case EndpointsModel::Rate:
        return rateText(row);
    case EndpointsModel::InFlight:
        return row.inFlight ? format::count(*row.inFlight) : format::unknown();
    case EndpointsModel::Chains:
        return format::count(row.chains.size());
    case EndpointsModel::Test:
        return row.test;
    case EndpointsModel::Findings:
        return findingsWord(row);
    default:
        return {};
    }
}

QString cellTip(const EndpointRow& row, int column)
{
    const auto lines = [](QStringList parts) {
        parts.removeAll(QString());
        return parts.join(QLatin1Char('\n'));
    };
    switch (column) {
    case EndpointsModel::State:
        return row.state ? EndpointsModel::tr("Breaker %1").arg(paint::stateWord(*row.state))
                         : EndpointsModel::tr("Does not serve yet: apply the draft");
    case EndpointsModel::Key:
        return lines({row.key.name, row.key.words, row.key.remedy});
    case EndpointsModel::PriceIn:
    case EndpointsModel::PriceOut:
        return row.priceIsOwn ? EndpointsModel::tr("Own price, USD per 1M tokens")
               : row.priceIn  ? EndpointsModel::tr("From the price book, USD per 1M tokens")
                              : EndpointsModel::tr("No price is known");
    case EndpointsModel::Rate:
        return row.rpmLimit ? EndpointsModel::tr("Requests in the last minute / own limit")
                            : EndpointsModel::tr("Requests in the last minute; no limit of its own");
    case EndpointsModel::Chains:
        return row.chains.isEmpty() ? EndpointsModel::tr("No chain uses it") : lines(row.chains);
    case EndpointsModel::Test:
        return row.testWords;
    case EndpointsModel::Findings:
        return lines(row.problems);
    default:
        return cellText(row, column);
    }
}

/// Invalid: unknown.
QVariant sortKey(const EndpointRow& row, int column)
{
    const auto number = [](const auto& value) { return value ? QVariant(static_cast<double>(*value)) : QVariant(); };
    const auto nanos = [](const std::optional<cost::NanoDollars>& price) {
        return price ? QVariant(price->toUsd()) : QVariant();
    };
    switch (column) {
    case EndpointsModel::State:
        return row.state ? QVariant(static_cast<int>(*row.state)) : QVariant();
    case EndpointsModel::PriceIn:
        return nanos(row.priceIn);
    case EndpointsModel::PriceOut:
        return nanos(row.priceOut);
    case EndpointsModel::Window:
        return number(row.window);
    case EndpointsModel::Rate:
        return number(row.rpmLimit);
    case EndpointsModel::InFlight:
        return number(row.inFlight);
    case EndpointsModel::Chains:
        return static_cast<int>(row.chains.size());
    case EndpointsModel::Findings:
        return row.errors * 1'000'000 + row.warnings * 1000 + row.notes;
    default:
        return cellText(row, column);
    }
}

Tone toneOf(const EndpointRow& row, int column)
{
    switch (column) {
    case EndpointsModel::Name:
        return Tone::Plain;
    case EndpointsModel::Model:
        return row.model.isEmpty() ? Tone::Warned : Tone::Soft;
    case EndpointsModel::Address:
        return row.address.isEmpty() ? Tone::Bad : row.isUsualAddress ? Tone::Faint : Tone::Soft;
    case EndpointsModel::Key:
        return words::keyTone(row.key, row.keyIsChosen);
    case EndpointsModel::Test:
        return row.testTone;
    case EndpointsModel::Chains:
        return row.chains.isEmpty() ? Tone::Faint : Tone::Soft;
    case EndpointsModel::Findings:
        return row.errors > 0 ? Tone::Bad : row.warnings > 0 ? Tone::Warned : Tone::Faint;
    case EndpointsModel::State:
    case EndpointsModel::Provider:
        return Tone::Soft;
    default:
        return cellText(row, column) == format::unknown() ? Tone::Faint : Tone::Soft;
    }
}

bool hasName(const std::vector<EndpointRow>& rows, std::size_t from, const std::string& name)
{
    return std::any_of(rows.begin() + static_cast<std::ptrdiff_t>(std::min(from, rows.size())), rows.end(),
                       [&](const EndpointRow& row) { return row.name == name; });
}

} // namespace

EndpointsModel::EndpointsModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

int EndpointsModel::rowOf(const std::string& name) const
{
    const auto found =
        std::find_if(rows_.begin(), rows_.end(), [&](const EndpointRow& row) { return row.name == name; });
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

void EndpointsModel::update(int at, EndpointRow row)
{
    EndpointRow& now = rows_[static_cast<std::size_t>(at)];
    row.state = now.state;
    row.inFlight = now.inFlight;
    row.rpmUsed = now.rpmUsed;
    if (row == now)
        return;
    now = std::move(row);
    Q_EMIT dataChanged(index(at, 0), index(at, ColumnCount - 1));
}

void EndpointsModel::setRows(std::vector<EndpointRow> rows)
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const int at = static_cast<int>(i);
        // Gone rows first, so that what follows them need not move.
        while (i < rows_.size() && rows_[i].name != rows[i].name && !hasName(rows, i, rows_[i].name) &&
               (hasName(rows_, i, rows[i].name) || rows_.size() > rows.size())) {
            beginRemoveRows({}, at, at);
            rows_.erase(rows_.begin() + at);
            endRemoveRows();
        }
        if (i < rows_.size() && rows_[i].name != rows[i].name) {
            const int from = [&] {
                for (std::size_t j = i + 1; j < rows_.size(); ++j)
                    if (rows_[j].name == rows[i].name)
                        return static_cast<int>(j);
                return -1;
            }();
            if (from >= 0) {
                beginMoveRows({}, from, from, {}, at);
                std::rotate(rows_.begin() + at, rows_.begin() + from, rows_.begin() + from + 1);
                endMoveRows();
            } else if (hasName(rows, i, rows_[i].name) || rows_.size() < rows.size()) {
                beginInsertRows({}, at, at);
                rows_.insert(rows_.begin() + at, rows[i]);
                endInsertRows();
            }
        }
        if (i >= rows_.size()) {
            beginInsertRows({}, at, at);
            rows_.push_back(rows[i]);
            endInsertRows();
        }
        update(at, std::move(rows[i]));
    }
    if (rows_.size() > rows.size()) {
        beginRemoveRows({}, static_cast<int>(rows.size()), static_cast<int>(rows_.size()) - 1);
        rows_.resize(rows.size());
        endRemoveRows();
    }
}

void EndpointsModel::takeLive(EndpointRow& row, const observe::EndpointView* view)
{
    row.state = view ? std::optional(view->state) : std::nullopt;
    row.inFlight = view ? std::optional(view->inFlight) : std::nullopt;
    row.rpmUsed = view ? view->rpmUsed : std::nullopt;
}

void EndpointsModel::setLive(const observe::Snapshot& snapshot)
{
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto view = std::find_if(snapshot.endpoints.begin(), snapshot.endpoints.end(),
                                       [&](const observe::EndpointView& each) { return each.name == rows_[i].name; });
        EndpointRow& row = rows_[i];
        const auto before = std::tuple(row.state, row.inFlight, row.rpmUsed);
        takeLive(row, view == snapshot.endpoints.end() ? nullptr : &*view);
        if (before != std::tuple(row.state, row.inFlight, row.rpmUsed))
            Q_EMIT dataChanged(index(static_cast<int>(i), State), index(static_cast<int>(i), InFlight));
    }
}

int EndpointsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int EndpointsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EndpointsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const EndpointRow& row = rows_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return cellText(row, column);
    case Qt::ToolTipRole: {
        const QString tip = cellTip(row, column);
        return tip.isEmpty() ? QVariant() : QVariant(format::plainTip(tip));
    }
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2").arg(headerData(column, Qt::Horizontal, Qt::AccessibleTextRole).toString(),
                                            cellText(row, column));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case RowRole:
        return QString::fromStdString(row.name);
    case SortRole:
        return sortKey(row, column);
    case ToneRole:
        return static_cast<int>(toneOf(row, column));
    default:
        return {};
    }
}

QVariant EndpointsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    // Two lines: the name, and the unit of its numbers.
    static const char* const titles[ColumnCount] = {
        "",
        QT_TR_NOOP("Name"),
        QT_TR_NOOP("Provider"),
        QT_TR_NOOP("Model"),
        QT_TR_NOOP("Base URL"),
        QT_TR_NOOP("Key"),
        QT_TR_NOOP("In\n$/M"),
        QT_TR_NOOP("Out\n$/M"),
        QT_TR_NOOP("Window\ntokens"),
        QT_TR_NOOP("Requests\nper min"),
        QT_TR_NOOP("In\nflight"),
        QT_TR_NOOP("Chains"),
        QT_TR_NOOP("Test"),
        "",
    };
    const bool isMark = section == State || section == Findings;
    if (role == Qt::DisplayRole)
        return isMark ? QString() : tr(titles[section]);
    if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole) {
        if (isMark)
            return section == State ? tr("Breaker") : tr("Checks");
        return tr(titles[section]).replace(QLatin1Char('\n'), QLatin1Char(' '));
    }
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignBottom));
    return {};
}

std::vector<EndpointRow> endpointRows(EndpointEditor& editor, const ConnectionTests& tests)
{
    const workspace::Workspace& workspace = editor.workspace();
    std::vector<EndpointRow> rows;
    rows.reserve(workspace.endpoints.size());
    for (const workspace::Endpoint& endpoint : workspace.endpoints) {
        EndpointRow row;
        const provider::ProviderProfile profile = workspace.profileOf(endpoint);
        row.name = endpoint.spec.name;
        row.provider = words::providerTitle(workspace, endpoint.provider);
        row.model = endpoint.model;
        row.isUsualAddress = endpoint.baseUrl.trimmed().isEmpty();
        row.address = row.isUsualAddress ? profile.baseUrl : endpoint.baseUrl;
        row.key = words::statusOf(editor.keys(), endpoint.key);
        row.keyIsChosen = words::isKeyChosen(endpoint, profile);
        if (const auto price = workspace::priceOf(endpoint, editor.serving().prices())) {
            row.priceIn = price->input;
            row.priceOut = price->output;
        }
        row.priceIsOwn = endpoint.price.has_value();
        row.window = endpoint.spec.capabilities.contextWindow;
        row.rpmLimit = endpoint.spec.requestsPerMinute;
        for (const std::string& chain : workspace::chainsUsing(workspace, row.name))
            row.chains << QString::fromStdString(chain);
        if (tests.isRunning(row.name)) {
            row.test = EndpointsModel::tr("testing…");
        } else if (const auto result = tests.resultOf(endpoint)) {
            row.test = words::testWord(*result);
            row.testWords = words::testWords(*result);
            row.testTone = words::testTone(*result);
        }
        rows.push_back(std::move(row));
    }
    for (const workspace::Finding& finding : editor.findings()) {
        const auto row = std::find_if(rows.begin(), rows.end(),
                                      [&](const EndpointRow& each) { return each.name == finding.subject.endpoint; });
        if (row == rows.end())
            continue;
        ++(finding.level == workspace::FindingLevel::Error     ? row->errors
           : finding.level == workspace::FindingLevel::Warning ? row->warnings
                                                               : row->notes);
        row->problems << finding.problem;
    }
    return rows;
}

} // namespace sg::ui
