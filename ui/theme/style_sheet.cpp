// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

namespace sg::ui {

namespace {

// $name is replaced by the token's colour. Sizes are points at 0.75 of the px of the design, so that they follow the
// desktop's font scale.
constexpr const char* kSheet = R"(
QMainWindow, QDialog { background: $window; }
QWidget { color: $text; font-family: "Noto Sans", "DejaVu Sans"; font-size: 9pt; }
QLabel { background: transparent; }
QLabel[role="title"] { font-weight: 700; }
QLabel[role="heading"] { font-size: 10.5pt; font-weight: 700; }
QLabel[role="secondary"] { color: $text2; }
QLabel[role="caption"] { color: $text3; font-size: 7.875pt; }
QLabel[role="error"] { color: $open; font-size: 8.25pt; }
QToolTip { background: $raised; color: $text; border: 1px solid $outline; padding: 4px 6px; }

#topBar { background: $bar; border-bottom: 1px solid $line; }
#rail { background: $bar; border-right: 1px solid $line; }
QStatusBar { background: $bar; border-top: 1px solid $line; color: $text3; }
QStatusBar QLabel { color: $text3; font-size: 7.875pt; }
QStatusBar::item { border: none; }

QPushButton { background: $raised; color: $text; border: 1px solid $line; border-radius: 4px; padding: 0 10px;
    min-height: 24px; font-size: 8.625pt; }
QPushButton:hover { background: $selected; }
QPushButton:pressed { background: $line; }
QPushButton:disabled { color: $text3; background: transparent; border: 1px dashed $outline; }
QPushButton[role="primary"] { background: $accent; color: $onAccent; border-color: $accent; font-weight: 700; }
QPushButton[role="primary"]:disabled { background: transparent; color: $text3; border: 1px dashed $outline; }
QPushButton[role="danger"] { background: $openTint; color: $open; border-color: $open; }
QPushButton[role="danger"]:disabled { background: transparent; color: $text3; border: 1px dashed $outline; }
QPushButton[role="small"] { padding: 0 6px; min-height: 20px; font-size: 8.25pt; }
QPushButton[role="link"] { background: transparent; color: $accent; border: 1px solid transparent; padding: 0 4px;
    min-height: 18px; font-size: 8.25pt; }
QPushButton[role="link"]:hover { background: $selected; }
QPushButton[role="link"]:disabled { color: $text3; border-color: transparent; }

QLineEdit, QAbstractSpinBox, QComboBox { background: $field; color: $text; border: 1px solid $outline; border-radius: 4px;
    min-height: 24px; padding: 0 7px; font-size: 8.625pt; selection-background-color: $accent;
    selection-color: $onAccent; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus { border-color: $accent; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url(:/icons/chevron-field.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: $raised; color: $text; border: 1px solid $outline;
    selection-background-color: $accentTint; selection-color: $text; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled { color: $text3; border-color: $line; }
QAbstractSpinBox { padding-right: 2px; }
QLineEdit[wrong="true"], QAbstractSpinBox[wrong="true"], QComboBox[wrong="true"], QPushButton[wrong="true"] { border-color: $open; }
QCheckBox { spacing: 6px; font-size: 8.25pt; }
QCheckBox::indicator { width: 13px; height: 13px; border: 1px solid $outline; border-radius: 3px; background: $field; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url(:/icons/check-$theme.svg); }

QPlainTextEdit[role="field"] { background: $field; color: $text; border: 1px solid $outline; border-radius: 4px;
    padding: 5px 7px; font-size: 8.625pt; selection-background-color: $accent; selection-color: $onAccent; }
QPlainTextEdit[role="field"]:focus { border: 2px solid $accent; padding: 4px 6px; }
QPlainTextEdit[role="field"][wrong="true"] { border-color: $open; }
QPlainTextEdit[role="reading"] { background: transparent; color: $text; border: 1px solid transparent; padding: 3px 7px;
    font-size: 9pt; selection-background-color: $accent; selection-color: $onAccent; }
QPlainTextEdit[role="reading"]:focus { border-color: $accent; border-radius: 4px; }
QPlainTextEdit[tone="soft"] { color: $text2; font-size: 8.625pt; }
QPlainTextEdit[mono="true"] { font-family: "DejaVu Sans Mono"; font-size: 8.25pt; }

sg--ui--Segments { background: $segments; border: 1px solid $line; border-radius: 5px; }
sg--ui--Segments QToolButton { background: transparent; color: $text2; border: 1px solid transparent; border-radius: 3px;
    padding: 0 6px; font-size: 8.25pt; }
sg--ui--Segments[compact="true"] QToolButton { padding: 0 4px; font-size: 7.875pt; }
sg--ui--Segments QToolButton:hover { color: $text; }
sg--ui--Segments QToolButton:checked { background: $segmentOn; color: $text; font-weight: 600; border-color: $segmentEdge; }
sg--ui--Segments QToolButton:focus { border: 2px solid $accent; padding: 0 5px; }
sg--ui--Segments[compact="true"] QToolButton:focus { padding: 0 3px; }
sg--ui--Segments[level="staging"] QToolButton:checked { background: $halfTint; color: $half; border-color: $half; }
sg--ui--Segments[level="prod"] QToolButton:checked { background: $openTint; color: $open; border-color: $open; }
#chip { background: $card; border: 1px solid $line; border-radius: 5px; }
#chip QLabel { color: $text2; font-size: 8.625pt; }
#find { background: $field; color: $text3; border: 1px solid $line; border-radius: 5px; font-size: 8.625pt; }
#find:hover { border-color: $outline; }
#disclosure { background: transparent; color: $text2; border: none; padding: 2px 8px; font-size: 8.25pt; }
#disclosure:hover { color: $text; }
#iconButton { background: $raised; border: none; border-radius: 4px; }
#iconButton:hover { background: $selected; }

QAbstractScrollArea { background: transparent; border: none; }
QListView, QTableView { outline: 0; }
QHeaderView, QHeaderView::section { background: transparent; border: none; }
QHeaderView::section { color: $text3; font-size: 7.875pt; padding: 0 4px; border-bottom: 1px solid $line; }
QHeaderView::section:first { padding-left: 12px; }
QHeaderView::section:last { padding-right: 11px; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar::handle:vertical { background: $selected; border-radius: 3px; min-height: 28px; margin: 2px; }
QScrollBar::handle:vertical:hover { background: $outline; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle:horizontal { background: $selected; border-radius: 3px; min-width: 28px; margin: 2px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

#workspace { font-size: 10.125pt; font-weight: 700; }
#environment { border: 1px solid $line; border-radius: 4px; padding: 0 9px; font-size: 8.25pt; font-weight: 600;
    background: $card; color: $text2; }
#environment[level="staging"] { background: $halfTint; color: $half; border-color: $half; }
#environment[level="prod"] { background: $openTint; color: $open; border-color: $open; }
#chip #url { font-family: "DejaVu Sans Mono"; color: $text; font-size: 8.25pt; }

#gatewayPanel { background: $card; border: 1px solid $outline; border-radius: 6px; }
#palette { background: $raised; border: 1px solid $outline; border-radius: 6px; }
#palette QListView { font-size: 8.625pt; }
#palette QListView::item { padding: 4px 8px; border-radius: 4px; color: $text2; }
#palette QListView::item:selected { background: $accentTint; color: $text; }
#example { font-family: "DejaVu Sans Mono"; font-size: 8.25pt; background: $field; border: 1px solid $line;
    border-radius: 4px; padding: 4px; }
#hairline { background: $line; border: none; }
#confirm { background: $raised; }
#failure { background: $openTint; border: 1px solid $open; border-left: 4px solid $open; border-radius: 4px; }
#failure[tone="soft"] { background: $raised; border-color: $outline; }
#failure[tone="warned"] { background: $halfTint; border-color: $half; }
#toolCall { background: $raised; border: 1px solid $line; border-radius: 4px; }
#banner { background: $openTint; border: 1px solid $open; border-left: 4px solid $open; border-radius: 4px; }
QTreeView { outline: 0; }
QTreeView::item { border: none; }
QTreeView::indicator { width: 13px; height: 13px; border: 1px solid $outline; border-radius: 3px; background: $field; }
QTreeView::indicator:checked { background: $accent; border-color: $accent; image: url(:/icons/check-$theme.svg); }
QPushButton[role="switcher"] { font-weight: 700; padding-right: 24px; }
QPushButton[role="switcher"]::menu-indicator { image: url(:/icons/chevron-field.svg); width: 12px; height: 12px;
    subcontrol-origin: padding; subcontrol-position: right center; right: 7px; }
QTreeView::item:selected { background: $accentTint; }
QMenu { background: $raised; color: $text; border: 1px solid $outline; padding: 4px; }
QMenu::item { padding: 4px 22px 4px 10px; border-radius: 3px; }
QMenu::item:selected { background: $accentTint; }
QMenu::item:disabled { color: $text3; }
QMenu::separator { height: 1px; background: $line; margin: 4px 6px; }
QSplitter::handle { background: transparent; }
#banner[tone="soft"] { background: $raised; border-color: $outline; }
QPushButton[hasMenu="true"] { padding-right: 24px; }
QPushButton::menu-indicator { image: url(:/icons/chevron-field.svg); width: 11px; height: 11px; right: 8px;
    subcontrol-origin: border; subcontrol-position: right center; }
QLineEdit[mono="true"] { font-family: "DejaVu Sans Mono"; font-size: 8.25pt; }
)";

} // namespace

QString styleSheetOf(const Tokens& t, bool dark)
{
    const std::pair<const char*, QColor> names[] = {
        // Longer names first: "$text2" must not be taken for "$text" and a 2.
        {"$accentTint", t.accentTint},
        {"$accent", t.accent},
        {"$onAccent", t.onAccent},
        {"$segmentEdge", dark ? t.selected : t.outline},
        {"$segmentOn", dark ? t.selected : t.card},
        {"$segments", dark ? t.window : t.raised},
        {"$field", dark ? t.window : t.card},
        {"$text2", t.text2},
        {"$text3", t.text3},
        {"$text", t.text},
        {"$window", t.window},
        {"$bar", t.bar},
        {"$card", t.card},
        {"$raised", t.raised},
        {"$selected", t.selected},
        {"$line", t.line},
        {"$outline", t.outline},
        {"$openTint", t.openTint},
        {"$open", t.open},
        {"$halfTint", t.halfTint},
        {"$half", t.half},
    };
    QString sheet = QString::fromLatin1(kSheet);
    for (const auto& [name, colour] : names)
        sheet.replace(QLatin1String(name), colour.name());
    sheet.replace(QLatin1String("$theme"), dark ? QLatin1String("dark") : QLatin1String("light"));
    return sheet;
}

} // namespace sg::ui
