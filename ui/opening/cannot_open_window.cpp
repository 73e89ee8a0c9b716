// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/cannot_open_window.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/panel.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QScrollArea>

namespace sg::ui {

CannotOpenWindow::CannotOpenWindow()
    : heading_(new QLabel)
{
    setWindowTitle(tr("Cannot open a workspace"));
    setMinimumSize(560, 360);
    auto* column = new QVBoxLayout;
    column->setContentsMargins(18, 16, 18, 16);
    column->setSpacing(10);
    heading_->setObjectName(QStringLiteral("cannotOpen"));
    heading_->setProperty("role", QStringLiteral("heading"));
    heading_->setTextFormat(Qt::PlainText);
    heading_->setWordWrap(true);
    column->addWidget(heading_);
    auto* words = new QLabel(tr("Nothing was changed. Mend the file and try again, or go on with something else."));
    words->setProperty("role", QStringLiteral("secondary"));
    words->setWordWrap(true);
    column->addWidget(words);

    auto* list = new QWidget;
    findings_ = new QVBoxLayout(list);
    findings_->setContentsMargins(12, 4, 12, 10);
    findings_->setSpacing(8);
    auto* scroll = new QScrollArea;
    scroll->setWidget(list);
    scroll->setWidgetResizable(true);
    list->setAutoFillBackground(false);
    auto* panel = new Panel(theme_, tr("What is wrong"));
    panel->setBody(scroll);
    column->addWidget(panel, 1);
    column->addLayout(makeButtons());

    auto* center = new QWidget;
    center->setLayout(column);
    setCentralWidget(center);
    new FocusRing(theme_, this);
    theme_.applyTo(this);
    resize(760, 480);
}

QLayout* CannotOpenWindow::makeButtons()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    const auto add = [&](const QString& words, const char* name) {
        auto* button = new QPushButton(words);
        button->setObjectName(QString::fromLatin1(name));
        row->addWidget(button);
        return button;
    };
    auto* retry = add(tr("Try again"), "retry");
    retry->setProperty("role", QStringLiteral("primary"));
    connect(retry, &QPushButton::clicked, this, &CannotOpenWindow::retryRequested);
    connect(add(tr("Open another file…"), "otherFile"), &QPushButton::clicked, this,
            &CannotOpenWindow::otherFileRequested);
    connect(add(tr("New workspace…"), "newWorkspace"), &QPushButton::clicked, this, &CannotOpenWindow::newRequested);
    connect(add(tr("Start with simulator"), "startSimulator"), &QPushButton::clicked, this,
            &CannotOpenWindow::simulatorRequested);
    row->addStretch(1);
    connect(add(tr("Copy"), "copyFindings"), &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(lines_.join(QLatin1Char('\n'))); });
    retry->setFocus();
    return row;
}

void CannotOpenWindow::setProblems(const QString& file, const QStringList& lines)
{
    lines_ = lines;
    heading_->setText(tr("%1 cannot be opened").arg(QDir::toNativeSeparators(QFileInfo(file).absoluteFilePath())));
    while (QLayoutItem* item = findings_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const QString prefix = file + QStringLiteral(": ");
    for (const QString& line : lines) {
        auto* label = new QLabel(line.startsWith(prefix) ? line.mid(prefix.size()) : line);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        findings_->addWidget(label);
    }
    findings_->addStretch(1);
}

} // namespace sg::ui
