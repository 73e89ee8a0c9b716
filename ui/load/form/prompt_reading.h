// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/mailbox.h"
#include "core/http/workers.h"
#include "core/load/prompt.h"

#include <atomic>

namespace sg::ui {

/// Reads the prompt files that a form asks for, beside its thread. Only what was asked for last is told. All of it on
/// the thread of the form.
class PromptReading
{
public:
    using Read = tl::expected<load::PromptFile, QString>; ///< as loadfiles::readPrompts
    PromptReading();
    ~PromptReading();

    /// `done` is called in the event loop; never after this object's end, nor once another file was asked for.
    void read(const QString& path, std::function<void(Read)> done);
    void cancel();
    static QString words(const QString& path); ///< what a form says meanwhile

private:
    http::Mailbox home_;
    std::shared_ptr<http::MailSlot> slot_;
    http::Workers worker_{1};
    std::shared_ptr<std::atomic<int>> asked_; ///< counts up: what is older need not be read
};

} // namespace sg::ui
