// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/form/prompt_reading.h"

#include "ui/load/load_files.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace sg::ui {

PromptReading::PromptReading()
    : slot_(std::make_shared<http::MailSlot>(home_))
    , asked_(std::make_shared<std::atomic<int>>(0))
{
}

PromptReading::~PromptReading()
{
    cancel();
    slot_->close();
    worker_.abandon(); // the disk may be slow
}

void PromptReading::read(const QString& path, std::function<void(Read)> done)
{
    const int number = ++*asked_;
    worker_.start([this, number, path, done = std::move(done), asked = asked_, slot = slot_] {
        if (*asked != number)
            return;
        auto file = std::make_shared<Read>(loadfiles::readPrompts(path));
        slot->post([this, number, done, file] { // not posted when this has gone
            if (*asked_ == number)
                done(std::move(*file));
        });
    });
}

void PromptReading::cancel()
{
    ++*asked_;
}

QString PromptReading::words(const QString& path)
{
    return QCoreApplication::translate("sg::ui::PromptReading", "Reading %1… Wait, or choose another file.")
        .arg(QFileInfo(path).fileName());
}

} // namespace sg::ui
