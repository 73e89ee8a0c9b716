// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/apply_bar.h"

#include "core/workspace/compare.h"
#include "ui/edit/compare_dialog.h"

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace sg::ui {

ApplyBar* ApplyBar::addTo(QWidget& page, QWidget& toolbar, ApplyFlow& flow)
{
    auto* row = static_cast<QHBoxLayout*>(toolbar.layout());
    auto* bar = new ApplyBar(flow, &page);
    row->addWidget(bar->state());
    row->addSpacing(6); // what is said is not the box's that follows
    row->addWidget(bar);
    auto* served = new Banner;
    static_cast<QVBoxLayout*>(page.layout())->insertWidget(1, served);
    flow.addBanner(*served);
    return bar;
}

ApplyBar::ApplyBar(ApplyFlow& flow, QWidget* page)
    : flow_(&flow)
    , state_(new QLabel(this))
    , onlyHere_(new QCheckBox)
    , compare_(new QPushButton)
    , apply_(new QPushButton(tr("Apply")))
{
    state_->setObjectName(QStringLiteral("draftState"));
    state_->setProperty("role", QStringLiteral("secondary"));
    state_->setTextFormat(Qt::PlainText);
    onlyHere_->setObjectName(QStringLiteral("onlyHere"));
    compare_->setObjectName(QStringLiteral("compare"));
    apply_->setObjectName(QStringLiteral("apply"));
    apply_->setProperty("role", QStringLiteral("primary"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(onlyHere_);
    for (QPushButton* button : {compare_, apply_}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    // Of the window, because the focus may be in the rail; a page that is not shown does not hear it.
    auto* apply = new QAction(tr("Apply"), page);
    apply->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return));
    connect(apply, &QAction::triggered, this, [this] { flow_->apply(); });
    page->addAction(apply);
    connect(apply_, &QPushButton::clicked, this, [this] { flow_->apply(); });
    connect(compare_, &QPushButton::clicked, this, &ApplyBar::compare);
    connect(onlyHere_, &QCheckBox::clicked, this, [this](bool isOn) {
        flow_->serving().setChangesOnlyHere(isOn);
        refresh();
    });
    connect(&flow.draft(), &Draft::changed, this, &ApplyBar::refresh);
    connect(&flow.serving(), &ServingControl::servingChanged, this, &ApplyBar::refresh);
    connect(&flow, &ApplyFlow::changed, this, &ApplyBar::refresh);
}

void ApplyBar::compare()
{
    (new CompareDialog(flow_->context(), flow_->draft(), flow_->serving(), *flow_, window()))->open();
}

void ApplyBar::setNarrow(bool narrow)
{
    state_->setVisible(!narrow);
}

void ApplyBar::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

QString ApplyBar::stateWords(int changes) const
{
    const workspace::VersionInfo version = flow_->serving().version();
    if (flow_->isBusy())
        return tr("Applying…");
    if (version.number > 0)
        return changes == 0 ? tr("v%1 serves, no changes").arg(version.number)
                            : tr("v%1 draft, %2 since v%3 (serving)")
                                  .arg(version.number + 1)
                                  .arg(changesWords(changes))
                                  .arg(version.number);
    return changes == 0 ? tr("No changes to what serves")
                        : tr("Draft, %1 since %2 (serving)").arg(changesWords(changes), versionWords(version));
}

void ApplyBar::refresh()
{
    if (!flow_ || !isVisible()) // made good when it is shown
        return;
    const ServingControl& serving = flow_->serving();
    const int changes = static_cast<int>(workspace::compare(*serving.serving(), flow_->draft().workspace()).size());
    state_->setText(stateWords(changes));
    const int number = serving.version().number;
    compare_->setText(number > 0 ? tr("Compare with v%1").arg(number) : tr("Compare"));
    compare_->setToolTip(state_->text());
    compare_->setEnabled(changes > 0 || number > 0); // earlier versions can be looked at any time
    const QString here = serving.environment();
    onlyHere_->setVisible(serving.environments().size() > 1);
    onlyHere_->setText(tr("Only in %1").arg(here));
    onlyHere_->setChecked(serving.changesOnlyHere());
    onlyHere_->setToolTip(onlyHere_->isChecked() ? tr("What is applied changes %1 alone").arg(here)
                                                 : tr("What is applied changes every environment that does not have "
                                                      "settings of its own there"));
    apply_->setEnabled(changes > 0 && !flow_->isBusy());
    apply_->setToolTip(changes > 0 ? tr("Save it and let it serve (Ctrl Enter)") : tr("There is nothing to apply"));
}

} // namespace sg::ui
