// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/endpoints/form_section.h"

#include "ui/edit/choice_field.h"
#include "ui/edit/section_head.h"
#include "ui/edit/text_fields.h"

#include <QLabel>

namespace sg::ui {

FormSection::FormSection(ThemeContext& context, EndpointEditor& editor, const QString& title, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , editor_(editor)
    , rows_(new FieldRows)
    , fields_(
          context,
          [this](const QString& words, const QString& key, const std::function<void(Endpoint&)>& change) {
              editor_.edit(undoWords(words), key, change);
          },
          [this] { editor_.closeMerge(); })
{
    setAccessibleName(title);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 0, 12, 11);
    column->setSpacing(7);
    if (!title.isEmpty())
        column->addWidget(new SectionHead(title));
    column->addWidget(rows_);
}

void FormSection::showEndpoint(const Endpoint& endpoint)
{
    fields_.show(endpoint);
    for (const auto& show : shows_)
        show(endpoint);
}

QString FormSection::undoWords(const QString& caption) const
{
    return tr("%1 of %2").arg(caption, QString::fromStdString(editor_.selectedName()));
}

void FormSection::wireText(QLineEdit* line, QWidget* field, const Text& text)
{
    const auto verdictOf = [judge = text.judge](const QString& typed) { return judge ? judge(typed) : Verdict{}; };
    connect(line, &QLineEdit::textEdited, this, [=, this](const QString& typed) {
        const Verdict verdict = verdictOf(typed);
        typing_ = line; // the text stays as it is typed: an empty field may stand for a name
        if (!verdict.isRefused)
            editor_.edit(undoWords(text.caption), text.key, [&](Endpoint& endpoint) { text.write(endpoint, typed); });
        typing_ = nullptr;
        rows_->setProblem(field, verdict.problem);
    });
    connect(line, &QLineEdit::editingFinished, this, [=, this] {
        editor_.closeMerge();
        // What was refused is not kept on screen either.
        if (const Endpoint* endpoint = editor_.selected(); endpoint && line->text() != text.read(*endpoint)) {
            line->setText(text.read(*endpoint));
            rows_->setProblem(field, verdictOf(line->text()).problem);
        }
    });
    shows_.push_back([=, this](const Endpoint& endpoint) {
        const QString now = text.read(endpoint);
        const bool isBeingRefused = line->hasFocus() && verdictOf(line->text()).isRefused;
        if (line->text() != now && typing_ != line && !isBeingRefused)
            line->setText(now);
        rows_->setProblem(field, verdictOf(line->text()).problem);
    });
}

QLineEdit* FormSection::addText(const Text& text, bool isMono)
{
    auto* line = new TextLine(text.caption);
    line->setObjectName(text.key);
    line->setFixedHeight(26);
    if (isMono)
        setMono(line);
    rows_->addRow({{text.caption, line}});
    wireText(line, line, text);
    return line;
}

ChoiceField* FormSection::addNames(const Text& text)
{
    auto* box = new ChoiceField(text.caption);
    box->setObjectName(text.key);
    box->setEditable(true);
    box->setLineEdit(new TextLine(text.caption));
    box->setInsertPolicy(QComboBox::NoInsert);
    box->setMaxVisibleItems(14);
    rows_->addRow({{text.caption, box}});
    wireText(box->lineEdit(), box, text);
    connect(box, &QComboBox::textActivated, this, [=, this](const QString& chosen) {
        editor_.edit(undoWords(text.caption), {}, [&](Endpoint& endpoint) { text.write(endpoint, chosen); });
    });
    return box;
}

QLabel* FormSection::addNote()
{
    auto* note = captionLabel({});
    note->setWordWrap(true);
    note->hide();
    rows_->addWide(note);
    return note;
}

void FormSection::setNote(QLabel* note, const QString& words)
{
    note->setText(words);
    note->setVisible(!words.isEmpty());
}

void FormSection::setItems(QComboBox* box, const QStringList& items)
{
    QStringList now;
    for (int i = 0; i < box->count(); ++i)
        now << box->itemText(i);
    QLineEdit* line = box->lineEdit();
    const QString text = line->text();
    const auto at = static_cast<int>(items.indexOf(text)); // from there Up and Down go on
    if (now == items && (at < 0 || at == box->currentIndex()))
        return;
    // The text that is being typed need not be one of the items, and stays.
    const QSignalBlocker quiet(box), quietLine(line);
    const int cursor = line->cursorPosition();
    const bool wasModified = line->isModified();
    if (now != items) {
        box->clear();
        box->addItems(items);
    }
    box->setCurrentIndex(at);
    line->setText(text);
    line->setCursorPosition(cursor);
    line->setModified(wasModified);
}

void FormSection::setMono(QLineEdit* field)
{
    field->setProperty("mono", true);
}

} // namespace sg::ui
