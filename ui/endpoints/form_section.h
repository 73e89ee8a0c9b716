// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/edit/quantity_field.h"
#include "ui/endpoints/endpoint_editor.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;

namespace sg::ui {

/// A field with its caption above and what is wrong with it below.
class FieldCell : public QWidget
{
    Q_OBJECT
public:
    FieldCell(const QString& caption, QWidget* field, QWidget* parent = nullptr);

    QWidget* field() const { return field_; }
    void setProblem(const QString& problem); ///< empty: fine

private:
    QWidget* field_;
    QLabel* problem_;
};

/// A group of fields of the endpoint in front, in two columns under a hairline and a title. Each field writes to the
/// draft as it is typed in and shows what the draft says; the section itself keeps nothing.
class FormSection : public QWidget
{
    Q_OBJECT
public:
    FormSection(ThemeContext& context, EndpointEditor& editor, const QString& title, QWidget* parent = nullptr);

    virtual void showEndpoint(const workspace::Endpoint& endpoint);

protected:
    enum class Span { Half, Whole };
    using Write = std::function<void(workspace::Endpoint&, const QString&)>;
    using Read = std::function<QString(const workspace::Endpoint&)>;
    /// What is wrong with a text; `isRefused` says that it must not come into the draft.
    struct Verdict
    {
        QString problem;
        bool isRefused = false;
    };
    using Judge = std::function<Verdict(const QString&)>;

    void put(QWidget* widget, Span span = Span::Whole);
    FieldCell* putField(const QString& caption, QWidget* field, Span span = Span::Half);
    /// `field` names it for undo: typing in a row is one command.
    QuantityField* addNumber(const QString& caption, const QString& field, const QuantityField::Rules& rules,
                             std::function<std::optional<double>(const workspace::Endpoint&)> read,
                             std::function<void(workspace::Endpoint&, std::optional<double>)> write,
                             Span span = Span::Half);
    QLineEdit* addText(const QString& caption, const QString& field, Read read, Write write, Judge judge = {},
                       bool isMono = false);
    QComboBox* addNames(const QString& caption, const QString& field, Read read, Write write, Judge judge = {});
    QCheckBox* addFlag(const QString& caption, const QString& field,
                       std::function<bool&(workspace::Endpoint&)> member);
    QLabel* addNote(); ///< hidden while it is empty, see setNote
    static void setNote(QLabel* note, const QString& words);
    static void setMono(QWidget* field);
    QString undoWords(const QString& caption) const;

    ThemeContext& context_;
    EndpointEditor& editor_;

private:
    void wireText(QLineEdit* line, FieldCell* cell, const QString& caption, const QString& field, const Read& read,
                  const Write& write, const Judge& judge);

    QGridLayout* grid_;
    int row_ = 0, column_ = 0;
    const QLineEdit* typing_ = nullptr; ///< whose text is being written just now
    std::vector<std::function<void(const workspace::Endpoint&)>> shows_;
};

} // namespace sg::ui
