// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace sg::ui {

QLabel* captionLabel(const QString& text = {}); ///< small and soft, plain text
/// Plain text over as many lines as it takes; `role` as in the style sheet.
QLabel* wrappedLabel(const char* role, const QString& text = {});

/// Captioned fields in rows; below a row one line says what is wrong with a field of it.
class FieldRows : public QWidget
{
    Q_OBJECT
public:
    struct Cell
    {
        QString caption;
        QWidget* field = nullptr;
        int span = 1;
    };

    explicit FieldRows(QWidget* parent = nullptr);

    /// Columns of one width in every row of so many.
    void addRow(const std::vector<Cell>& cells);
    /// In the place of `field`, for when that is hidden.
    void addInstead(QWidget* field, QWidget* other);
    void addWide(QWidget* widget);
    void setCaption(QWidget* field, const QString& caption);
    void setFieldVisible(QWidget* field, bool isVisible); ///< with its caption
    /// What the field cannot know itself, as a bound that is another field's value; empty: fine.
    void setProblem(QWidget* field, const QString& words);
    /// What is said of a field, by itself or by setProblem(); empty: fine.
    QString problemOf(const QWidget* field) const;

private:
    struct Entry
    {
        QWidget* field;
        QLabel *caption, *error;
        QGridLayout* grid;
        int column, span;
        QString fromOutside{};
    };
    void keep(const Entry& entry);
    void refresh(const Entry& entry);
    const Entry* find(const QWidget* field) const;

    QVBoxLayout* column_;
    std::vector<Entry> entries_;
};

/// The red frame of a field, and what a screen reader says of it.
void markWrong(QWidget& field, const QString& problem);

} // namespace sg::ui
