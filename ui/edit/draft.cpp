// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/draft.h"

#include <QUndoCommand>

namespace sg::ui {

namespace {

/// A state of 500 tiers takes some hundred kilobytes.
constexpr int kUndoSteps = 200;

} // namespace

class Draft::Command final : public QUndoCommand
{
public:
    Command(Draft& draft, const QString& words, workspace::WorkspacePtr after, QString mergeKey)
        : QUndoCommand(words)
        , draft_(draft)
        , before_(draft.now_)
        , after_(std::move(after))
        , mergeKey_(std::move(mergeKey))
    {
    }

    int id() const override { return mergeKey_.isEmpty() ? -1 : 1; }
    void undo() override
    {
        draft_.closeMerge();
        draft_.show(before_);
    }
    void redo() override { draft_.show(after_); }
    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* next = static_cast<const Command*>(other);
        if (next->mergeKey_ != mergeKey_ || draft_.openMerge_ != mergeKey_)
            return false;
        after_ = next->after_;
        setText(next->text());
        // Moved there and back: as if nothing had been done.
        setObsolete(*after_ == *before_);
        return true;
    }

private:
    Draft& draft_;
    workspace::WorkspacePtr before_, after_;
    QString mergeKey_;
};

Draft::Draft(workspace::WorkspacePtr start, QObject* parent)
    : QObject(parent)
    , now_(std::move(start))
{
    undo_.setUndoLimit(kUndoSteps);
}

void Draft::edit(const QString& words, const std::function<void(workspace::Workspace&)>& change,
                 const QString& mergeKey)
{
    auto after = std::make_shared<workspace::Workspace>(*now_);
    change(*after);
    if (*after == *now_)
        return;
    if (mergeKey != openMerge_)
        closeMerge();
    auto* command = new Command(*this, words, std::move(after), mergeKey);
    undo_.push(command);
    openMerge_ = mergeKey;
}

void Draft::closeMerge()
{
    openMerge_.clear();
}

void Draft::replace(const QString& words, workspace::WorkspacePtr with)
{
    closeMerge();
    if (*with != *now_)
        undo_.push(new Command(*this, words, std::move(with), QString()));
}

void Draft::restart(workspace::WorkspacePtr start)
{
    closeMerge();
    undo_.clear();
    show(start);
}

void Draft::show(const workspace::WorkspacePtr& state)
{
    now_ = state;
    Q_EMIT changed();
}

} // namespace sg::ui
