// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>

namespace sg::ui {

CommandPalette::CommandPalette(ThemeContext& context, std::vector<PaletteCommand> commands, QWidget* window)
    : QDialog(window, Qt::Popup)
    , commands_(std::move(commands))
    , field_(new QLineEdit)
    , list_(new QListWidget)
{
    setObjectName(QStringLiteral("palette"));
    setAttribute(Qt::WA_DeleteOnClose);
    context.applyTo(this);
    field_->setPlaceholderText(tr("Page, time range, theme, endpoint …"));
    field_->setAccessibleName(tr("Find or run a command"));
    field_->installEventFilter(this);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setAccessibleName(tr("Commands that match"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    column->addWidget(field_);
    column->addWidget(list_);
    for (std::size_t i = 0; i < commands_.size(); ++i) {
        const auto& command = commands_[i];
        auto* item = new QListWidgetItem(
            command.hint.isEmpty() ? command.words : QStringLiteral("%1    %2").arg(command.words, command.hint));
        item->setData(Qt::UserRole, static_cast<int>(i));
        list_->addItem(item);
    }
    list_->setCurrentRow(0);
    connect(field_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    resize(420, 360);
    move(window->mapToGlobal(QPoint(window->width() / 2 - 210, 56)));
    field_->setFocus();
}

void CommandPalette::filter(const QString& typed)
{
    const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int first = -1;
    for (int row = 0; row < list_->count(); ++row) {
        const QString text = list_->item(row)->text();
        const bool matches = std::all_of(words.begin(), words.end(),
                                         [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
        list_->item(row)->setHidden(!matches);
        if (matches && first < 0)
            first = row;
    }
    list_->setCurrentRow(first);
}

void CommandPalette::runCurrent()
{
    const auto* item = list_->currentItem();
    if (!item || item->isHidden())
        return;
    const auto run = commands_[static_cast<std::size_t>(item->data(Qt::UserRole).toInt())].run;
    close();
    run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != field_ || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        runCurrent();
        return true;
    }
    const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    if (step == 0)
        return QDialog::eventFilter(watched, event);
    for (int row = list_->currentRow() + step; row >= 0 && row < list_->count(); row += step) {
        if (list_->item(row)->isHidden())
            continue;
        list_->setCurrentRow(row);
        break;
    }
    return true;
}

} // namespace sg::ui
