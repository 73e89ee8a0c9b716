// SPDX-License-Identifier: GPL-3.0-or-later
// What stands where on the playground page.
#include "ui/load/legend.h"
#include "ui/playground/explanation_view.h"
#include "ui/playground/headers_view.h"
#include "ui/playground/playground_page.h"
#include "ui/playground/prompt_form.h"
#include "ui/playground/response_view.h"
#include "ui/playground/waterfall_view.h"
#include "ui/widgets/panel.h"

#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sg::ui {

QWidget* PlaygroundPage::makePrompt()
{
    auto* panel = new Panel(context_, tr("Prompt"));
    panel->setMinimumSize(280, 280);
    form_ = new PromptForm(context_, control_);
    panel->setCorner(form_->modes());
    panel->setBody(form_);
    panel->setWhatsThis(tr("What is sent: through a chain with its retries and fallbacks, or straight to one endpoint. "
                           "JSON is the request's body in OpenAI's form, for tools, images by address and everything "
                           "else. The line below says what it may cost before it is sent."));
    return panel;
}

QWidget* PlaygroundPage::makeResponse()
{
    auto* panel = new Panel(context_, tr("Response"));
    panel->setMinimumSize(320, 280);
    response_ = new ResponseView(context_);
    panel->setCorner(response_->corner());
    panel->setBody(response_);
    panel->setWhatsThis(tr("The answer as it comes: its text, the bytes of the body as they came, or each piece with "
                           "its time. A request that failed says why, and what of the answer had come."));
    return panel;
}

QWidget* PlaygroundPage::makeHeaders()
{
    headersPanel_ = new Panel(context_, tr("Headers"));
    headersPanel_->setMinimumSize(220, 280);
    headers_ = new HeadersView(context_);
    headersPanel_->setCorner(headers_->corner());
    headersPanel_->setBody(headers_);
    headersPanel_->setWhatsThis(
        tr("What one try sent and what came back, keys masked. The lines in colour are Switchgear's own record."));
    return headersPanel_;
}

QWidget* PlaygroundPage::makeActions()
{
    using waterfall::BarKind;
    const auto brush = [](BarKind kind) { return [kind](const Tokens& c) { return barBrush(kind, c); }; };
    legend_ = new Legend(context_, {{tr("queue"), nullptr, {}, false, brush(BarKind::Queue)},
                                    {tr("connect"), nullptr, {}, false, brush(BarKind::Connect)},
                                    {tr("first token"), nullptr, {}, false, brush(BarKind::FirstToken)},
                                    {tr("streaming"), nullptr, {}, false, brush(BarKind::Streaming)},
                                    {tr("failed"), nullptr, {}, true},
                                    {tr("rate limited"), nullptr, {}, false, brush(BarKind::RateLimited)},
                                    {tr("wait"), [](const Tokens& c) { return c.text3; }, {1, 1.5}},
                                    {tr("commit"), [](const Tokens& c) { return c.accent; }, {2, 1.5}}});
    headersButton_ = new QPushButton(tr("Headers"));
    headersButton_->setToolTip(tr("Show what was sent and what came back"));
    curl_ = new QPushButton(tr("Copy as curl"));
    curl_->setToolTip(tr("The chosen try as a command; the key is a variable in it"));
    save_ = new QPushButton(tr("Save as JSON…"));
    again_ = new QPushButton(tr("Send again"));
    again_->setToolTip(tr("The same request once more, whatever the prompt says now"));
    toAll_ = new QPushButton(tr("Send to all endpoints"));
    toAll_->setToolTip(tr("The prompt straight to every endpoint, side by side. Each of them may bill it."));
    toTable_ = new QPushButton(tr("Side by side"));
    auto* open = new QPushButton(tr("Open…"));
    open->setToolTip(
        tr("A recorded answer: a raw HTTP answer, an event stream or a JSON body (Ctrl+O, or drop it here)"));
    headersButton_->hide();
    auto* actions = new QWidget;
    auto* row = new QHBoxLayout(actions);
    row->setContentsMargins(0, 4, 0, 2);
    row->setSpacing(6);
    row->addWidget(legend_);
    row->addSpacing(6);
    for (QPushButton* button : {headersButton_, toTable_, open, curl_, save_, again_, toAll_})
        row->addWidget(button);
    connect(headersButton_, &QPushButton::clicked, this, [this] { setHeadersShown(true); });
    connect(open, &QPushButton::clicked, this, &PlaygroundPage::askAndOpen);
    connect(curl_, &QPushButton::clicked, this, &PlaygroundPage::copyCurl);
    connect(save_, &QPushButton::clicked, this, &PlaygroundPage::save);
    connect(again_, &QPushButton::clicked, this, &PlaygroundPage::sendAgain);
    connect(toAll_, &QPushButton::clicked, this, &PlaygroundPage::sendToAll);
    connect(toTable_, &QPushButton::clicked, this, [this] {
        bottom_->setCurrentIndex(1);
        showButtons();
    });
    return actions;
}

QWidget* PlaygroundPage::makeExplanation()
{
    explanationPanel_ = new Panel(context_, tr("How Switchgear reads it"));
    explanation_ = new ExplanationView(context_);
    explanationPanel_->setCorner(explanation_->corner());
    explanationPanel_->setBody(explanation_);
    explanationPanel_->setWhatsThis(tr("What the chain would do after this answer, what it used and cost, and what was "
                                       "odd about it. JSON is the document that switchgear-cli explain prints."));
    connect(explanation_, &ExplanationView::saveClicked, this, &PlaygroundPage::saveExplanation);
    connect(explanation_, &ExplanationView::headersClicked, this, [this] { setHeadersShown(true); });
    return explanationPanel_;
}

QWidget* PlaygroundPage::makeAttempts()
{
    attemptsPanel_ = new Panel(context_, tr("Attempts"));
    attemptsPanel_->setMinimumHeight(190);
    waterfall_ = new WaterfallView(context_);
    band_ = new PartsBand(context_, *waterfall_);
    noAttempts_ = new QLabel(tr("Tries, waits and moves of a request show here, on one time axis."));
    noAttempts_->setAlignment(Qt::AlignCenter);
    noAttempts_->setProperty("role", QStringLiteral("secondary"));
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 2);
    column->setSpacing(0);
    column->addWidget(waterfall_, 1);
    column->addWidget(band_);
    attemptsStack_ = new QStackedWidget;
    attemptsStack_->addWidget(noAttempts_);
    attemptsStack_->addWidget(body);
    attemptsPanel_->setCorner(makeActions());
    attemptsPanel_->setBody(attemptsStack_);

    allPanel_ = new Panel(context_, tr("All endpoints"));
    allPanel_->setSubtitle(tr("one try each, straight to it; Enter shows its attempts"));
    all_ = new SideBySide(context_);
    auto* attempts = new QPushButton(tr("Attempts"));
    attempts->setToolTip(tr("The attempts of the chosen endpoint"));
    auto* corner = new QWidget;
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 4, 0, 2);
    row->addWidget(attempts);
    allPanel_->setCorner(corner);
    allPanel_->setBody(all_);
    connect(attempts, &QPushButton::clicked, this, [this] {
        bottom_->setCurrentIndex(0);
        showButtons();
    });
    bottom_ = new QStackedWidget;
    bottom_->setMinimumHeight(190);
    bottom_->addWidget(attemptsPanel_);
    bottom_->addWidget(allPanel_);
    bottom_->addWidget(makeExplanation());
    return bottom_;
}

} // namespace sg::ui
