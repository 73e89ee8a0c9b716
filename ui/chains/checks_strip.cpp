// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/checks_strip.h"

#include "core/workspace/worst_case.h"
#include "ui/chains/checks_words.h"
#include "ui/chains/counts_button.h"
#include "ui/chains/findings_dialog.h"
#include "ui/chains/strip_text.h"
#include "ui/widgets/chart_data.h"
#include "ui/widgets/paint.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace sg::ui {

using workspace::Finding;
using workspace::FindingLevel;

namespace {

QWidget* verticalLine()
{
    auto* line = new QFrame;
    line->setObjectName(QStringLiteral("hairline"));
    line->setFixedWidth(1);
    return line;
}

StripText::Tone toneOf(FindingLevel level)
{
    return level == FindingLevel::Error     ? StripText::Tone::Bad
           : level == FindingLevel::Warning ? StripText::Tone::Warned
                                            : StripText::Tone::Plain;
}

} // namespace

ChecksStrip::ChecksStrip(ThemeContext& context, ChainEditor& editor, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , editor_(editor)
{
    setObjectName(QStringLiteral("checks"));
    setAccessibleName(tr("Checks"));
    setFixedHeight(86);
    build();
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
    connect(&editor_, &ChainEditor::findingsChanged, this, &ChecksStrip::refreshFindings);
    connect(&editor_, &ChainEditor::chainChanged, this, [this] {
        refreshFindings();
        refreshWorst();
    });
    connect(&editor_.serving(), &ServingControl::factsChanged, this, &ChecksStrip::refreshWorst);
    refreshFindings();
    refreshWorst();
}

void ChecksStrip::build()
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(1, 1, 12, 1);
    row->setSpacing(0);
    counts_ = new CountsButton(context_, tr("Checks"));
    counts_->setObjectName(QStringLiteral("counts"));
    connect(counts_, &QAbstractButton::clicked, this, &ChecksStrip::showAll);
    row->addWidget(counts_);
    row->addWidget(verticalLine());
    row->addWidget(buildFinding(), 11);
    row->addWidget(verticalLine());
    row->addWidget(buildWorst(), 9);
}

QWidget* ChecksStrip::buildFinding()
{
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(6, 0, 12, 0);
    row->setSpacing(8);
    finding_ = new StripText(context_);
    fix_ = new QPushButton;
    fix_->setObjectName(QStringLiteral("fix"));
    show_ = new QPushButton(tr("Show"));
    show_->setObjectName(QStringLiteral("show"));
    place_ = new QLabel;
    place_->setProperty("role", QStringLiteral("caption"));
    place_->setAlignment(Qt::AlignCenter);
    const auto arrow = [](const QString& sign, const QString& name) {
        auto* button = new QToolButton;
        button->setObjectName(QStringLiteral("iconButton"));
        button->setText(sign);
        button->setFixedSize(22, 22);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setAccessibleName(name);
        button->setToolTip(name);
        return button;
    };
    previous_ = arrow(QStringLiteral("‹"), tr("Previous finding"));
    next_ = arrow(QStringLiteral("›"), tr("Next finding"));
    row->addWidget(finding_, 1);
    row->addWidget(fix_);
    row->addWidget(show_);
    row->addWidget(previous_);
    row->addWidget(place_);
    row->addWidget(next_);
    connect(previous_, &QToolButton::clicked, this, &ChecksStrip::previous);
    connect(next_, &QToolButton::clicked, this, &ChecksStrip::next);
    connect(show_, &QPushButton::clicked, this, [this] {
        if (const Finding* at = current())
            go(Finding(*at));
    });
    connect(fix_, &QPushButton::clicked, this, [this] {
        if (const Finding* at = current())
            editor_.applyFix(Finding(*at)); // a copy: the fix takes the finding away
    });
    return box;
}

QWidget* ChecksStrip::buildWorst()
{
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(6, 0, 0, 0);
    row->setSpacing(8);
    worst_ = new StripText(context_);
    path_ = new QPushButton(tr("Show path"));
    path_->setObjectName(QStringLiteral("path"));
    row->addWidget(worst_, 1);
    row->addWidget(path_);
    connect(path_, &QPushButton::clicked, this, &ChecksStrip::showPath);
    return box;
}

bool ChecksStrip::concernsShown(const Finding& finding) const
{
    if (!finding.subject.chain.empty())
        return finding.subject.chain == editor_.chainName();
    const auto* chain = editor_.chain();
    return chain && std::ranges::any_of(chain->spec.tiers, [&](const chain::TierSpec& tier) {
               return !tier.endpoint.empty() && tier.endpoint == finding.subject.endpoint;
           });
}

void ChecksStrip::refreshFindings()
{
    const auto before = current() ? std::optional(*current()) : std::nullopt;
    order_ = editor_.findings();
    std::ranges::stable_sort(
        order_, {}, [this](const Finding& f) { return static_cast<int>(f.level) * 2 + (concernsShown(f) ? 0 : 1); });
    const auto same = std::ranges::find_if(order_, [&](const Finding& f) {
        return before && f.rule == before->rule && f.subject == before->subject && f.place == before->place;
    });
    at_ = same == order_.end() ? 0 : static_cast<std::size_t>(same - order_.begin());
    std::vector<CountsButton::Line> lines;
    const auto count = [this](FindingLevel level) {
        return static_cast<int>(std::ranges::count(order_, level, &Finding::level));
    };
    if (const int errors = count(FindingLevel::Error))
        lines.push_back({errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors), RowsModel::Tone::Bad});
    if (const int warnings = count(FindingLevel::Warning))
        lines.push_back({warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings), RowsModel::Tone::Warned});
    if (const int notes = count(FindingLevel::Note))
        lines.push_back({notes == 1 ? tr("1 note") : tr("%1 notes").arg(notes), RowsModel::Tone::Soft});
    if (lines.empty())
        lines.push_back({tr("all passed"), RowsModel::Tone::Good});
    counts_->setLines(std::move(lines));
    refreshFinding();
}

const Finding* ChecksStrip::current() const
{
    return at_ < order_.size() ? &order_[at_] : nullptr;
}

void ChecksStrip::refreshFinding()
{
    const Finding* at = current();
    const bool hasMore = order_.size() > 1;
    previous_->setVisible(hasMore);
    next_->setVisible(hasMore);
    place_->setVisible(hasMore);
    fix_->setVisible(at && at->fix);
    show_->setVisible(at && at->subject != workspace::Subject());
    if (!at)
        return finding_->show(QStringLiteral("check"), StripText::Tone::Good, tr("Nothing is wrong with the draft"),
                              tr("Settings, keys, prices and the way through every chain were checked."));
    finding_->show(QStringLiteral("warning"), toneOf(at->level), checkswords::title(*at, editor_.draft().workspace()),
                   checkswords::detail(*at));
    fix_->setText(at->fix ? at->fix->label : QString());
    place_->setText(tr("%1 of %2").arg(at_ + 1).arg(order_.size()));
}

void ChecksStrip::refreshWorst()
{
    const auto* chain = editor_.chain();
    path_->setVisible(chain && !chain->spec.tiers.empty());
    if (!chain)
        return worst_->show(QStringLiteral("activity"), StripText::Tone::Plain, tr("No chain yet"), {});
    const auto worst = workspace::worstCaseOf(chain->spec, editor_.draft().workspace(), &editor_.serving().prices());
    const auto said = checkswords::worst(worst, *chain);
    worst_->show(QStringLiteral("activity"), said.isTooLong ? StripText::Tone::Warned : StripText::Tone::Accent,
                 said.title, said.detail);
}

void ChecksStrip::next()
{
    if (order_.empty())
        return;
    at_ = (at_ + 1) % order_.size();
    refreshFinding();
}

void ChecksStrip::previous()
{
    if (order_.empty())
        return;
    at_ = (at_ + order_.size() - 1) % order_.size();
    refreshFinding();
}

void ChecksStrip::go(const Finding& finding)
{
    const auto& about = finding.subject;
    if (!about.chain.empty()) {
        editor_.showChain(about.chain);
        return editor_.select(about.tier >= 0 ? ChainNode::ofTier(about.tier) : ChainNode());
    }
    if (const auto* chain = editor_.chain()) {
        const auto found = std::ranges::find(chain->spec.tiers, about.endpoint, &chain::TierSpec::endpoint);
        if (found != chain->spec.tiers.end())
            return editor_.select(ChainNode::ofTier(static_cast<int>(found - chain->spec.tiers.begin())));
    }
    if (!about.endpoint.empty())
        Q_EMIT endpointWanted(QString::fromStdString(about.endpoint));
}

void ChecksStrip::showAll()
{
    auto* dialog = new FindingsDialog(context_, editor_, window());
    connect(dialog, &FindingsDialog::showWanted, this, &ChecksStrip::go);
    dialog->open();
}

void ChecksStrip::showPath()
{
    const auto* chain = editor_.chain();
    if (!chain)
        return;
    const auto worst = workspace::worstCaseOf(chain->spec, editor_.draft().workspace(), &editor_.serving().prices());
    auto* dialog = new DataTableDialog(context_, checkswords::pathTable(worst, *chain), window());
    dialog->open();
}

void ChecksStrip::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::frame(p, rect(), context_.c().card, context_.c().line);
}

} // namespace sg::ui
