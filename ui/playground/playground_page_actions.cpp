// SPDX-License-Identifier: GPL-3.0-or-later
// What the playground page does beside sending: recorded answers, copies, files, commands.
#include "core/workspace/replace_file.h"
#include "ui/playground/explanation_view.h"
#include "ui/playground/headers_view.h"
#include "ui/playground/playground_page.h"
#include "ui/playground/response_view.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/panel.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QDir>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QPointer>
#include <QStackedWidget>
#include <QThreadPool>

namespace sg::ui {

namespace {

QString localFile(const QMimeData* data)
{
    const QList<QUrl> urls = data->urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

} // namespace

void PlaygroundPage::askAndOpen()
{
    if (const QString path = askRecorded(window()); !path.isEmpty())
        openRecorded(path);
}

void PlaygroundPage::openRecorded(const QString& path)
{
    const int number = ++reading_;
    const std::int64_t now = QDateTime::currentMSecsSinceEpoch();
    QThreadPool::globalInstance()->start([page = QPointer<PlaygroundPage>(this), path, number, now, prices = prices_] {
        auto read = std::make_shared<tl::expected<RecordedView, QString>>(readRecordedFile(path, now, prices.get()));
        QMetaObject::invokeMethod(
            qApp,
            [page, read, number] {
                if (page && page->reading_ == number)
                    page->takeRecorded(std::move(*read));
            },
            Qt::QueuedConnection);
    });
}

void PlaygroundPage::takeRecorded(tl::expected<RecordedView, QString> read)
{
    if (!read)
        return banner_->say(read.error());
    banner_->clear();
    recorded_ = std::move(*read);
    showRecorded();
}

void PlaygroundPage::showRecorded()
{
    response_->setRecorded(*recorded_);
    headers_->setRecorded(recorded_->headers);
    explanation_->setRecorded(*recorded_);
    explanationPanel_->setSubtitle(recorded_->file);
    bottom_->setCurrentIndex(kExplanationPage);
    showButtons();
}

void PlaygroundPage::closeRecorded()
{
    recorded_.reset();
    bottom_->setCurrentIndex(isSideBySide_ ? 1 : 0);
    showShown();
}

void PlaygroundPage::copyCurl()
{
    if (shown_)
        QGuiApplication::clipboard()->setText(engine::toCurl(*shown_, attempt()));
}

void PlaygroundPage::save()
{
    if (recorded_)
        return saveExplanation();
    if (!shown_)
        return;
    const QString stamp = QDateTime::fromMSecsSinceEpoch(shown_->anchor.toUnixMs(shown_->record.started))
                              .toString(QStringLiteral("yyyyMMdd-HHmmss"));
    const QString path = askSavePath(window(), QStringLiteral("switchgear-request-%1.json").arg(stamp));
    if (path.isEmpty())
        return;
    if (const auto saved = workspace::replaceFile(path, engine::toJson(*shown_)); !saved)
        banner_->say(tr("The request was not saved to %1: %2. Free some space or choose another folder; it stays here "
                        "until the next one is sent.")
                         .arg(QDir::toNativeSeparators(path), saved.error()));
}

void PlaygroundPage::saveExplanation()
{
    if (!recorded_)
        return;
    const QString name = QFileInfo(recorded_->file).completeBaseName();
    const QString path = askSavePath(window(), QStringLiteral("switchgear-explanation-%1.json").arg(name));
    if (path.isEmpty())
        return;
    if (const auto saved = workspace::replaceFile(path, recorded_->json); !saved)
        banner_->say(tr("The explanation was not saved to %1: %2. Free some space or choose another folder.")
                         .arg(QDir::toNativeSeparators(path), saved.error()));
}

std::vector<PaletteCommand> PlaygroundPage::paletteCommands()
{
    std::vector<PaletteCommand> all;
    if (surroundings_.targets.empty())
        return all;
    if (isRunning())
        all.push_back({tr("Cancel the playground's request"), tr("Esc"), [this] { cancel(); }});
    else
        all.push_back({tr("Send the playground's prompt"), tr("Ctrl Enter"), [this] { send(); }});
    if (!isRunning()) {
        all.push_back({tr("Send the prompt to all endpoints"), QString(), [this] { sendToAll(); }});
        if (last_ && !isSideBySide_)
            all.push_back({tr("Send the same request again"), QString(), [this] { sendAgain(); }});
    }
    all.push_back({tr("Open a recorded answer…"), tr("Ctrl O"), [this] { askAndOpen(); }});
    if (recorded_) {
        all.push_back({tr("Save the explanation as JSON…"), QString(), [this] { saveExplanation(); }});
        return all;
    }
    if (shown_)
        all.push_back({tr("Copy the attempt as a curl command"), QString(), [this] { copyCurl(); }});
    if (shown_ && !shown_->running)
        all.push_back({tr("Save the request as JSON…"), QString(), [this] { save(); }});
    return all;
}

void PlaygroundPage::dragEnterEvent(QDragEnterEvent* event)
{
    if (!localFile(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void PlaygroundPage::dropEvent(QDropEvent* event)
{
    const QString path = localFile(event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    openRecorded(path);
}

} // namespace sg::ui
