// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_names.h"

#include "ui/format/format.h"
#include "ui/widgets/rows_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>

namespace sg::ui {

namespace {

constexpr int kRow = 24, kKindWide = 56, kCopyWide = 62;
constexpr std::chrono::milliseconds kSaidFor{1500};
enum Column { Name, Kind, Copy };

} // namespace

GatewayNames::GatewayNames(ThemeContext& context, QWidget* parent)
    : QTableView(parent)
    , rows_(new RowsModel({{tr("Name")}, {tr("Kind")}, {tr("Copy"), true}}, this))
{
    setObjectName(QStringLiteral("gatewayNames"));
    setAccessibleName(tr("Names to ask for. Enter copies one"));
    setModel(rows_);
    setItemDelegate(new RowsDelegate(context, this));
    dressTable(*this, kRow);
    horizontalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setSectionResizeMode(Name, QHeaderView::Stretch);
    setColumnWidth(Kind, kKindWide);
    setColumnWidth(Copy, kCopyWide);
    forget_.setSingleShot(true);
    forget_.setInterval(kSaidFor);
    connect(&forget_, &QTimer::timeout, this, [this] {
        last_.clear();
        fill();
    });
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == Copy)
            copy(index.row());
    });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) { copy(index.row()); });
    connect(&context, &ThemeContext::changed, viewport(), qOverload<>(&QWidget::update));
}

void GatewayNames::setNames(const QStringList& names, const QStringList& chains)
{
    if (names == names_ && chains == chains_)
        return;
    names_ = names;
    chains_ = chains;
    fill();
}

void GatewayNames::fill()
{
    using Tone = RowsModel::Tone;
    std::vector<RowsModel::Row> rows;
    for (const QString& name : std::as_const(names_)) {
        const bool isChain = chains_.contains(name), isCopied = name == last_;
        RowsModel::Cell title, kind, way;
        title.text = name;
        title.bold = isChain;
        title.tip = format::plainTip(name);
        title.mono = true;
        kind.text = isChain ? tr("chain") : tr("model");
        kind.tone = Tone::Faint;
        way.text = isCopied ? tr("Copied") : tr("Copy");
        way.tone = isCopied ? Tone::Soft : Tone::Accent;
        rows.push_back({title, kind, way});
    }
    rows_->setRows(std::move(rows));
}

void GatewayNames::copy(int row)
{
    const QString name = names_.value(row);
    if (name.isEmpty())
        return;
    QGuiApplication::clipboard()->setText(name);
    last_ = name;
    fill();
    forget_.start();
    Q_EMIT copied(name);
}

void GatewayNames::keyPressEvent(QKeyEvent* event)
{
    const bool isPress =
        event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (!isPress && !event->matches(QKeySequence::Copy))
        return QTableView::keyPressEvent(event);
    if (currentIndex().isValid())
        copy(currentIndex().row());
}

} // namespace sg::ui
