// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/response_view.h"

#include "ui/format/format.h"
#include "ui/widgets/rows_table.h"
#include "ui/widgets/segments.h"

#include <QJsonDocument>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace sg::ui {

namespace {

constexpr int kText = 0, kRaw = 1, kTokens = 2;
constexpr qint64 kMostRaw = 256 * 1024;

QLabel* plainLabel(const char* role = nullptr)
{
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (role)
        label->setProperty("role", QLatin1String(role));
    return label;
}

QPlainTextEdit* reader(const QString& name)
{
    auto* edit = new QPlainTextEdit;
    edit->setReadOnly(true);
    edit->setUndoRedoEnabled(false);
    edit->setAcceptDrops(false);
    edit->setTabChangesFocus(true);
    edit->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    edit->setProperty("role", QStringLiteral("reading"));
    edit->setAccessibleName(name);
    return edit;
}

// A stream grows at its end: what is there already stays, with the reader's place and selection.
void put(QPlainTextEdit* edit, const QString& text)
{
    const QString before = edit->toPlainText();
    if (before == text)
        return;
    if (before.isEmpty() || !text.startsWith(before)) {
        edit->setPlainText(text);
        return;
    }
    QScrollBar* bar = edit->verticalScrollBar();
    const bool isAtEnd = bar->value() >= bar->maximum() - 1;
    QTextCursor cursor(edit->document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText(text.mid(before.size()));
    if (isAtEnd)
        bar->setValue(bar->maximum());
}

void retone(QWidget* widget, const QString& tone)
{
    if (widget->property("tone").toString() == tone)
        return;
    widget->setProperty("tone", tone);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

QVBoxLayout* columnOf(QWidget* widget, int spacing = 0)
{
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing);
    return column;
}

} // namespace

FailureBox::FailureBox(QWidget* parent)
    : QFrame(parent)
    , title_(plainLabel("title"))
    , provider_(plainLabel())
    , did_(plainLabel("secondary"))
{
    setObjectName(QStringLiteral("failure"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 7, 10, 7);
    column->setSpacing(3);
    for (QLabel* label : {title_, provider_, did_})
        column->addWidget(label);
    hide();
}

void FailureBox::setFailure(const words::Failure& failure)
{
    setVisible(!failure.title.isEmpty());
    if (failure == failure_)
        return;
    failure_ = failure;
    const std::pair<QLabel*, QString> lines[] = {
        {title_, failure.title}, {provider_, failure.provider}, {did_, failure.did}};
    for (const auto& [label, words] : lines) {
        label->setText(words);
        label->setVisible(!words.isEmpty());
    }
    setAccessibleName(QStringList{failure.title, failure.provider, failure.did}.join(QStringLiteral(". ")));
    retone(this, failure.isError ? QString() : QStringLiteral("soft"));
}

ResponseView::ResponseView(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , corner_(new QWidget)
    , tag_(new StatusTag(context))
    , tabs_(new Segments({tr("Text"), tr("Raw"), tr("Tokens")}, tr("Answer as"), true))
{
    auto* row = new QHBoxLayout(corner_);
    row->setContentsMargins(0, 3, 0, 0);
    row->setSpacing(8);
    row->addWidget(tag_);
    row->addWidget(tabs_);
    stack_ = new QStackedWidget;
    stack_->addWidget(makeEmpty());
    stack_->addWidget(makeContent());
    auto* column = columnOf(this);
    column->addWidget(stack_, 1);
    connect(tabs_, &Segments::selected, this, [this](int tab) {
        body_->setCurrentIndex(tab);
        if (tab == kTokens)
            showTokens();
        const QString& note = tab == kRaw ? rawNote_ : textNote_;
        note_->setText(note);
        note_->setVisible(!note.isEmpty() && tab != kTokens);
    });
}

QWidget* ResponseView::makeEmpty()
{
    auto* page = new QWidget;
    auto* column = columnOf(page, 12);
    column->setContentsMargins(36, 0, 36, 0);
    emptyWords_ = new QLabel;
    emptyWords_->setAlignment(Qt::AlignCenter);
    emptyWords_->setWordWrap(true);
    emptyWords_->setProperty("role", QStringLiteral("secondary"));
    emptySend_ = new QPushButton(tr("Send (Ctrl+Enter)"));
    emptySend_->setProperty("role", QStringLiteral("primary"));
    auto* open = new QPushButton(tr("Open a recorded answer…"));
    open->setToolTip(tr("Ctrl+O, or drop the file here: a raw HTTP answer, an event stream or a JSON body"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch(1);
    buttons->addWidget(emptySend_);
    buttons->addWidget(open);
    buttons->addStretch(1);
    column->addStretch(2);
    column->addWidget(emptyWords_);
    column->addLayout(buttons);
    column->addStretch(3);
    connect(emptySend_, &QPushButton::clicked, this, &ResponseView::sendClicked);
    connect(open, &QPushButton::clicked, this, &ResponseView::openClicked);
    return page;
}

QWidget* ResponseView::makeContent()
{
    auto* page = new QWidget;
    auto* column = columnOf(page);
    auto* top = new QWidget;
    auto* head = columnOf(top, 6);
    head->setContentsMargins(12, 2, 12, 2);
    recordedBar_ = new QFrame;
    recordedBar_->setObjectName(QStringLiteral("toolCall"));
    auto* bar = new QHBoxLayout(recordedBar_);
    bar->setContentsMargins(10, 4, 6, 4);
    recordedLabel_ = plainLabel("title");
    back_ = new QPushButton(tr("Close it"));
    back_->setToolTip(tr("Back to the request (Esc)"));
    bar->addWidget(recordedLabel_, 1);
    bar->addWidget(back_);
    failure_ = new FailureBox;
    partial_ = plainLabel("caption");
    head->addWidget(recordedBar_);
    head->addWidget(failure_);
    head->addWidget(partial_);
    column->addWidget(top);
    body_ = new QStackedWidget;
    body_->addWidget(makeText());
    raw_ = reader(tr("Raw answer"));
    raw_->setProperty("mono", true);
    body_->addWidget(raw_);
    pieces_ = new RowsModel({{tr("piece"), true},
                             {tr("after send"), true},
                             {tr("gap"), true},
                             {tr("characters"), true},
                             {tr("kind"), false}},
                            this);
    auto* table = makeRowsTable(context_, pieces_, 22, 4, tr("Pieces of the answer"));
    for (int i = 0; i < 4; ++i)
        table->setColumnWidth(i, 88);
    body_->addWidget(table);
    column->addWidget(body_, 1);
    note_ = plainLabel("caption");
    note_->setContentsMargins(13, 2, 13, 4);
    column->addWidget(note_);
    strip_ = new TokenStrip(context_);
    figures_ = new FiguresStrip(context_);
    column->addWidget(strip_);
    column->addWidget(figures_);
    connect(back_, &QPushButton::clicked, this, &ResponseView::backClicked);
    return page;
}

QWidget* ResponseView::makeText()
{
    auto* page = new QWidget;
    auto* column = columnOf(page, 2);
    column->setContentsMargins(5, 0, 5, 0);
    reasoningToggle_ = new QToolButton;
    reasoningToggle_->setObjectName(QStringLiteral("disclosure"));
    reasoningToggle_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    reasoningToggle_->setCheckable(true);
    reasoningToggle_->setChecked(true);
    reasoningToggle_->setFocusPolicy(Qt::TabFocus);
    reasoning_ = reader(tr("Reasoning"));
    retone(reasoning_, QStringLiteral("soft"));
    text_ = reader(tr("Answer"));
    toolsScroll_ = new QScrollArea;
    auto* scroll = static_cast<QScrollArea*>(toolsScroll_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    tools_ = new QWidget;
    toolsLayout_ = columnOf(tools_, 6);
    toolsLayout_->setContentsMargins(8, 2, 8, 4);
    toolsLayout_->addStretch(1);
    scroll->setWidget(tools_);
    scroll->viewport()->setAutoFillBackground(false);
    tools_->setAutoFillBackground(false);
    column->addWidget(reasoningToggle_);
    column->addWidget(reasoning_);
    column->addWidget(text_, 1);
    column->addWidget(toolsScroll_);
    connect(reasoningToggle_, &QToolButton::toggled, this, [this](bool on) {
        wantsReasoning_ = on;
        reasoning_->setVisible(on);
        reasoningToggle_->setText(on ? tr("▾ Reasoning") : tr("▸ Reasoning"));
    });
    return page;
}

void ResponseView::setEmpty(const QString& sentence, bool canSend)
{
    emptyWords_->setText(sentence);
    emptySend_->setEnabled(canSend);
    view_.reset();
    tag_->setStatus({});
    tabs_->setVisible(false);
    stack_->setCurrentIndex(0);
}

void ResponseView::setView(const engine::WatchViewPtr& view, int attempt,
                           const std::optional<engine::WatchEstimate>& other)
{
    view_ = view;
    stack_->setCurrentIndex(1);
    recordedBar_->hide();
    tabs_->setVisible(true);
    tag_->setStatus(words::statusOf(*view));
    const words::Failure failure = words::failureOf(*view);
    failure_->setFailure(failure);
    showAnswer(view->answer, view->answerIsPartial, view->running, !failure.title.isEmpty());
    const engine::AttemptTrace* trace = words::traceOf(*view, attempt);
    showRaw(trace ? trace->raw : QByteArray(), trace ? trace->rawBytes : 0);
    strip_->setView(view);
    strip_->setVisible(view->running || !view->arrivals.empty());
    figures_->setFigures(words::figuresOf(*view, other));
    if (tabs_->current() == kTokens)
        showTokens();
}

void ResponseView::setRecorded(const RecordedView& recorded)
{
    view_.reset();
    stack_->setCurrentIndex(1);
    tabs_->setVisible(true);
    recordedLabel_->setText(tr("Recorded answer: %1").arg(recorded.file));
    recordedBar_->show();
    tag_->setStatus(recorded.status);
    words::Failure failure = recorded.failure;
    if (!recorded.warnings.isEmpty() && failure.title.isEmpty())
        failure = {tr("Understood, with warnings"), recorded.warnings.join(QLatin1Char('\n')), {}, false};
    else if (!recorded.warnings.isEmpty())
        failure.did += QLatin1Char('\n') + recorded.warnings.join(QLatin1Char('\n'));
    failure_->setFailure(failure);
    showAnswer(recorded.answer, recorded.isPartial, false, !recorded.failure.title.isEmpty());
    showRaw(recorded.raw, recorded.rawBytes);
    strip_->setView({});
    strip_->hide();
    figures_->setFigures(recorded.figures);
    showTokens();
}

void ResponseView::showAnswer(const provider::Answer& answer, bool isPartial, bool isRunning, bool hasFailed)
{
    const words::Shown text = words::shown(answer.text), reasoning = words::shown(answer.reasoning);
    put(text_, text.text);
    put(reasoning_, reasoning.text);
    const bool hasText = !answer.text.isEmpty(), hasReasoning = !answer.reasoning.isEmpty();
    const bool isSilent = !hasText && !hasReasoning && answer.toolCalls.isEmpty();
    text_->setPlaceholderText(isRunning   ? tr("Nothing has been said yet.")
                              : hasFailed ? tr("Nothing was said.")
                              : isSilent  ? tr("The answer has no text.")
                                          : QString());
    reasoningToggle_->setVisible(hasReasoning);
    reasoning_->setVisible(hasReasoning && wantsReasoning_);
    reasoningToggle_->setText(wantsReasoning_ ? tr("▾ Reasoning") : tr("▸ Reasoning"));
    constexpr int kMostReasoning = 92, kMostTools = 150;
    const int lines = static_cast<int>(reasoning_->document()->size().height());
    reasoning_->setFixedHeight(std::min(kMostReasoning, lines * reasoning_->fontMetrics().lineSpacing() + 20));
    showTools(answer.toolCalls);
    const bool isOnlyTools = !hasText && !answer.toolCalls.isEmpty();
    text_->setVisible(!isOnlyTools);
    toolsScroll_->setMaximumHeight(isOnlyTools ? QWIDGETSIZE_MAX : kMostTools);
    QString label;
    if (isPartial && !isSilent)
        label = tr("Partial: this is not the whole answer.");
    else if (!isRunning && answer.finishReason == "length")
        label = tr("Cut at the token limit.");
    partial_->setText(label);
    partial_->setVisible(!label.isEmpty());
    textNote_ = text.note.isEmpty() ? reasoning.note : text.note;
    if (body_->currentIndex() == kText) {
        note_->setText(textNote_);
        note_->setVisible(!textNote_.isEmpty());
    }
}

void ResponseView::showTools(const QJsonArray& calls)
{
    toolsScroll_->setVisible(!calls.isEmpty());
    if (calls == toolsShown_)
        return;
    toolsShown_ = calls;
    qDeleteAll(tools_->findChildren<QFrame*>(QStringLiteral("toolCall"), Qt::FindDirectChildrenOnly));
    int place = 0;
    for (const QJsonValue& call : calls) {
        constexpr int kMostCards = 50;
        if (place == kMostCards)
            break;
        auto* card = new QFrame;
        card->setObjectName(QStringLiteral("toolCall"));
        auto* column = new QVBoxLayout(card);
        column->setContentsMargins(10, 5, 10, 6);
        column->setSpacing(2);
        const QJsonValue function = call[QLatin1String("function")];
        auto* name = plainLabel("title");
        name->setText(tr("Tool call: %1").arg(function[QLatin1String("name")].toString()));
        auto* arguments = plainLabel("secondary");
        arguments->setFont(context_.theme().mono(10.5));
        arguments->setText(words::shown(function[QLatin1String("arguments")].toString(), 4096).text);
        card->setAccessibleName(name->text() + QLatin1Char(' ') + arguments->text());
        column->addWidget(name);
        column->addWidget(arguments);
        toolsLayout_->insertWidget(place++, card);
    }
}

void ResponseView::showRaw(const QByteArray& bytes, qint64 ofBytes)
{
    const QByteArray head = bytes.left(kMostRaw);
    if (head != rawShown_ || raw_->toPlainText().isEmpty()) {
        rawShown_ = head;
        const words::Shown shown = words::shown(QString::fromUtf8(head), kMostRaw);
        put(raw_, shown.text);
        raw_->setPlaceholderText(tr("No byte of the body has come."));
        rawBroken_ = shown.note;
    }
    QStringList notes;
    if (ofBytes > head.size())
        notes << tr("The first %1 KiB of %2 KiB.")
                     .arg(format::count(head.size() / 1024), format::count((ofBytes + 1023) / 1024));
    if (!rawBroken_.isEmpty())
        notes << rawBroken_;
    rawNote_ = notes.join(QLatin1Char(' '));
    if (body_->currentIndex() == kRaw) {
        note_->setText(rawNote_);
        note_->setVisible(!rawNote_.isEmpty());
    }
}

void ResponseView::showTokens()
{
    pieces_->setRows(view_ ? strip_->dataTable().rows : std::vector<RowsModel::Row>());
}

QString ResponseView::text() const
{
    return text_->toPlainText();
}

QString ResponseView::raw() const
{
    return raw_->toPlainText();
}

QString ResponseView::note() const
{
    return note_->text();
}

} // namespace sg::ui
