// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLineEdit>
#include <QPlainTextEdit>

#include <string>
#include <vector>

namespace sg::ui {

/// A key that undoes or redoes. Undo goes over all fields of a page; a field that took the key for its own would fight
/// with it, so it passes such events on: event->ignore() and false from event().
bool isUndo(QEvent* event);

/// A name or a sentence in a form. Undo is the page's, not the field's.
class TextLine : public QLineEdit
{
    Q_OBJECT
public:
    explicit TextLine(const QString& accessibleName, QWidget* parent = nullptr);
    void show(const QString& text); ///< without a signal; what is typed stays while it says the same

Q_SIGNALS:
    void left();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
};

/// Several lines; as high as they are, within limits. Tab goes on to the next field.
class TextBox : public QPlainTextEdit
{
    Q_OBJECT
public:
    TextBox(const QString& accessibleName, int fewestLines, int mostLines, QWidget* parent = nullptr);
    void show(const QString& text);

Q_SIGNALS:
    void edited(const QString& text); ///< by the user
    void left();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();
    int fewest_, most_;
    bool isShowing_ = false;
};

/// Words parted by commas or lines.
class WordsBox : public TextBox
{
    Q_OBJECT
public:
    explicit WordsBox(const QString& accessibleName, QWidget* parent = nullptr);
    using Words = std::vector<std::string>;
    void showWords(const Words& words);
    static Words wordsOf(const QString& text); ///< each once, without blanks around it

Q_SIGNALS:
    void wordsEdited(const std::vector<std::string>& words);

private:
    Words words_;
};

} // namespace sg::ui
