// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/text_fields.h"

#include <QKeyEvent>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace sg::ui {

bool isUndo(QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    return key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
}

TextLine::TextLine(const QString& accessibleName, QWidget* parent)
    : QLineEdit(parent)
{
    setAccessibleName(accessibleName);
    setFixedHeight(26);
    connect(this, &QLineEdit::editingFinished, this, &TextLine::left);
}

void TextLine::show(const QString& text)
{
    // A blank at the end of what is being typed is no part of it yet.
    if (text == this->text() || (hasFocus() && text == this->text().trimmed()))
        return;
    const int cursor = cursorPosition();
    setText(text);
    setCursorPosition(std::min(cursor, static_cast<int>(text.size())));
}

bool TextLine::event(QEvent* event)
{
    // Not accepted as a field's own: it reaches the page's shortcut.
    if (event->type() == QEvent::ShortcutOverride && isUndo(event)) {
        event->ignore();
        return false;
    }
    return QLineEdit::event(event);
}

void TextLine::keyPressEvent(QKeyEvent* event)
{
    if (isUndo(event))
        return event->ignore();
    QLineEdit::keyPressEvent(event);
}

TextBox::TextBox(const QString& accessibleName, int fewestLines, int mostLines, QWidget* parent)
    : QPlainTextEdit(parent)
    , fewest_(fewestLines)
    , most_(mostLines)
{
    setProperty("role", QStringLiteral("field"));
    setAccessibleName(accessibleName);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        fit();
        if (!isShowing_)
            Q_EMIT edited(toPlainText());
    });
    fit();
}

void TextBox::show(const QString& text)
{
    if (text == toPlainText())
        return;
    isShowing_ = true;
    const int cursor = textCursor().position();
    setPlainText(text);
    QTextCursor at = textCursor();
    at.setPosition(std::min(cursor, static_cast<int>(text.size())));
    setTextCursor(at);
    isShowing_ = false;
}

void TextBox::fit()
{
    int lines = 0;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        lines += std::max(1, block.layout()->lineCount());
    const int shown = std::clamp(lines, fewest_, most_);
    setVerticalScrollBarPolicy(lines > most_ ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    // 5 px of padding, 1 px of frame and 4 px of the document's margin above and below.
    const int height = static_cast<int>(std::ceil(shown * QFontMetricsF(font()).lineSpacing())) + 20;
    if (height != this->height() || minimumHeight() != height)
        setFixedHeight(height);
}

bool TextBox::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && isUndo(event)) {
        event->ignore();
        return false;
    }
    return QPlainTextEdit::event(event);
}

void TextBox::keyPressEvent(QKeyEvent* event)
{
    if (isUndo(event))
        return event->ignore();
    QPlainTextEdit::keyPressEvent(event);
}

void TextBox::focusOutEvent(QFocusEvent* event)
{
    QPlainTextEdit::focusOutEvent(event);
    Q_EMIT left();
}

void TextBox::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fit();
}

void TextBox::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fit();
}

WordsBox::WordsBox(const QString& accessibleName, QWidget* parent)
    : TextBox(accessibleName, 1, 6, parent)
{
    setPlaceholderText(tr("word, two words, คำ"));
    connect(this, &TextBox::edited, this, [this](const QString& text) {
        Words words = wordsOf(text);
        if (words == words_)
            return;
        words_ = std::move(words);
        Q_EMIT wordsEdited(words_);
    });
}

void WordsBox::showWords(const Words& words)
{
    words_ = words;
    // A comma just typed says nothing yet and is not taken away.
    if (wordsOf(toPlainText()) == words && !(words.empty() && !hasFocus()))
        return;
    QStringList texts;
    for (const std::string& word : words)
        texts << QString::fromStdString(word);
    show(texts.join(QStringLiteral(", ")));
}

WordsBox::Words WordsBox::wordsOf(const QString& text)
{
    static const QRegularExpression kBetween(QStringLiteral("[,\\n\\r;،、，]"));
    Words words;
    for (const QString& part : text.split(kBetween, Qt::SkipEmptyParts)) {
        const std::string word = part.simplified().toStdString();
        if (!word.empty() && std::ranges::find(words, word) == words.end())
            words.push_back(word);
    }
    return words;
}

} // namespace sg::ui
