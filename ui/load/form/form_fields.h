// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QWidget;

/// What the fields of a load plan share.
namespace sg::ui::formfields {

/// A small label over a field; names the field for assistive technology where it has no name yet.
QLabel* caption(const QString& text, QWidget* buddy = nullptr);
QLabel* note(); ///< words below a field, wrapped
/// Takes any number from 0 on: a typed 0 is answered with the reason, not silently changed to 1.
QSpinBox* number(int value, const QString& name, const QString& suffix = {});
QLineEdit* line(const QString& text, const QString& name, const QString& example = {});
/// A hairline and a title over a group of fields.
QWidget* sectionHead(const QString& title);
void put(QGridLayout* grid, int row, int column, QLabel* label, QWidget* field, int span = 1);
/// The look of a field with a problem, and the problem for assistive technology; empty: it is fine.
void mark(QWidget* field, const QString& problem);

} // namespace sg::ui::formfields
