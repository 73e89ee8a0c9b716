// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/edit/bound_fields.h"
#include "ui/edit/field_rows.h"
#include "ui/endpoints/endpoint_editor.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QVBoxLayout;

namespace sg::ui {

class ChoiceField;

/// A group of fields of the endpoint in front. Each field writes to the draft as it is typed in and shows what the
/// draft says; the section itself keeps nothing.
class FormSection : public QWidget
{
    Q_OBJECT
public:
    /// Without a title the section brings a head of its own.
    FormSection(ThemeContext& context, EndpointEditor& editor, const QString& title, QWidget* parent = nullptr);

    virtual void showEndpoint(const workspace::Endpoint& endpoint);

protected:
    using Endpoint = workspace::Endpoint;
    using Rules = QuantityField::Rules;
    using Value = std::optional<double>;
    /// A text of the endpoint: how it is read and written, and what is wrong with one; `isRefused`: must not come into
    /// the draft.
    struct Verdict
    {
        QString problem;
        bool isRefused = false;
    };
    struct Text
    {
        QString caption, key; ///< `key` names it for undo: typing in a row is one command
        std::function<QString(const Endpoint&)> read;
        std::function<void(Endpoint&, const QString&)> write;
        std::function<Verdict(const QString&)> judge;
    };

    FieldRows& rows() { return *rows_; }
    BoundFields<Endpoint>& fields() { return fields_; }
    QLineEdit* addText(const Text& text, bool isMono = false); ///< in a row of its own
    ChoiceField* addNames(const Text& text);                   ///< likewise, with a list to choose from
    QLabel* addNote();                                         ///< hidden while it is empty, see setNote
    static void setNote(QLabel* note, const QString& words);
    static void setItems(QComboBox* box, const QStringList& items); ///< of an editable one; its text stays
    static void setMono(QLineEdit* field);
    QString undoWords(const QString& caption) const;

    ThemeContext& context_;
    EndpointEditor& editor_;

private:
    void wireText(QLineEdit* line, QWidget* field, const Text& text);

    FieldRows* rows_;
    BoundFields<Endpoint> fields_;
    const QLineEdit* typing_ = nullptr; ///< whose text is being written just now
    std::vector<std::function<void(const Endpoint&)>> shows_;
};

} // namespace sg::ui
