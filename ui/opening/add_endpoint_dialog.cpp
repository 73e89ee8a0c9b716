// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/add_endpoint_dialog.h"
#include "ui/widgets/focus_ring.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace sg::ui {

QString AddEndpointDialog::example()
{
    return QStringLiteral(R"("endpoints": [
  { "name": "gpt-4.1", "provider": "openai", "model": "gpt-4.1",
    "base_url": "https://api.openai.com/v1",
    "key": { "source": "environment", "name": "OPENAI_API_KEY" },
    "breaker": { "consecutive_failures": 5, "open_ms": 30000 } }
],
"chains": [
  { "name": "support", "tiers": [ { "endpoint": "gpt-4.1", "max_attempts": 2 } ] }
])");
}

AddEndpointDialog::AddEndpointDialog(ThemeContext& context, const QString& file, QWidget* parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("addEndpointDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowModality(Qt::WindowModal);
    setWindowTitle(tr("Add an endpoint"));
    context.applyTo(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(8);
    const auto label = [&](const QString& text, const char* role) {
        auto* words = new QLabel(text);
        words->setProperty("role", QString::fromLatin1(role));
        words->setTextFormat(Qt::PlainText);
        words->setWordWrap(true);
        words->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(words);
    };
    label(tr("Endpoints and chains stand in the workspace file"), "heading");
    label(QDir::toNativeSeparators(QFileInfo(file).absoluteFilePath()), "title");
    label(tr("Put your endpoint into these two fields, save the file and read it again. A file never holds a key: it "
             "says where the key is kept."),
          "secondary");
    auto* text = new QPlainTextEdit(example());
    text->setObjectName(QStringLiteral("example"));
    text->setAccessibleName(tr("Example"));
    text->setReadOnly(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setMinimumHeight(190);
    column->addWidget(text);

    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    const auto button = [&](const QString& words, const char* name) {
        auto* made = new QPushButton(words);
        made->setObjectName(QString::fromLatin1(name));
        made->setAutoDefault(false);
        row->addWidget(made);
        return made;
    };
    connect(button(tr("Copy example"), "copyExample"), &QPushButton::clicked, this,
            [] { QGuiApplication::clipboard()->setText(example()); });
    connect(button(tr("Open folder"), "openFolder"), &QPushButton::clicked, this, &AddEndpointDialog::folderRequested);
    row->addStretch(1);
    connect(button(tr("Close"), "close"), &QPushButton::clicked, this, &QDialog::reject);
    auto* reload = button(tr("Read the file again"), "reload");
    reload->setProperty("role", QStringLiteral("primary"));
    connect(reload, &QPushButton::clicked, this, [this] {
        accept();
        Q_EMIT reloadRequested();
    });
    column->addLayout(row);
    resize(620, 400);
    new FocusRing(context, this);
}

} // namespace sg::ui
