// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/edit/serving.h"

#include <algorithm>

namespace sg::test {

/// What serves, without files and engine: remembers what was applied, answers at once or when a test says so.
class FakeServing : public ui::ServingControl
{
public:
    struct Sent
    {
        workspace::WorkspacePtr workspace;
        QString note;
    };

    workspace::WorkspacePtr now;
    std::vector<workspace::VersionInfo> kept;     ///< newest first
    std::optional<workspace::VersionInfo> unkept; ///< serves
    std::map<int, workspace::WorkspacePtr> contents;
    std::vector<Sent> applied;
    std::vector<workspace::Workspace> drafts;
    QString notKept;          ///< apply() serves, but keeps no version
    QString refusal;          ///< answered to the next apply(), when not empty
    bool answersLate = false; ///< apply() waits for finishApply()
    QString path = QStringLiteral("/home/op/prod.switchgear.json");
    QString environmentName = QStringLiteral("development");
    QStringList environmentNames{QStringLiteral("development"), QStringLiteral("staging"),
                                 QStringLiteral("production")};
    bool onlyHere = false;
    QStringList alsoChanged; ///< environmentsChangedBy()
    cost::PriceBook book;
    std::map<std::string, workspace::KeyFact> keyFacts;

    explicit FakeServing(workspace::WorkspacePtr start = {})
        : now(start ? std::move(start) : std::make_shared<const workspace::Workspace>())
    {
    }

    workspace::WorkspacePtr serving() const override { return now; }
    workspace::VersionInfo version() const override
    {
        return unkept ? *unkept : kept.empty() ? workspace::VersionInfo{} : kept.front();
    }
    std::vector<workspace::VersionInfo> versions() const override { return kept; }
    tl::expected<workspace::WorkspacePtr, QString> read(int version) const override
    {
        const auto found = contents.find(version);
        if (found == contents.end())
            return tl::unexpected(QStringLiteral("Version %1 is not kept any more.").arg(version));
        return found->second;
    }
    void apply(workspace::WorkspacePtr draft, const QString& note, Done done) override
    {
        waiting_ = [this, draft = std::move(draft), note, done = std::move(done)] { finish(draft, note, done); };
        if (!answersLate)
            finishApply();
    }
    void finishApply()
    {
        if (const auto run = std::exchange(waiting_, nullptr))
            run();
    }
    bool changesOnlyHere() const override { return onlyHere; }
    void setChangesOnlyHere(bool wanted) override { onlyHere = wanted; }
    QStringList environmentsChangedBy(const workspace::Workspace&) const override { return alsoChanged; }
    tl::expected<void, QString> saveDraft(const workspace::Workspace& draft) override
    {
        drafts.push_back(draft);
        return {};
    }
    QString file() const override { return path; }
    QString environment() const override { return environmentName; }
    QStringList environments() const override { return environmentNames; }
    const cost::PriceBook& prices() const override { return book; }
    workspace::LintFacts lintFacts() const override { return {&book, keyFacts}; }

    void tellServing() { Q_EMIT servingChanged(); }
    void tellFacts() { Q_EMIT factsChanged(); }

private:
    void finish(const workspace::WorkspacePtr& draft, const QString& note, const Done& done)
    {
        if (!refusal.isEmpty()) {
            done(tl::unexpected(std::exchange(refusal, {})));
            return;
        }
        applied.push_back({draft, note});
        now = draft;
        workspace::VersionInfo info;
        info.number = kept.empty() ? 1 : kept.front().number + 1;
        info.applied = QDateTime::fromMSecsSinceEpoch(1'700'000'000'000 + info.number * 60'000, Qt::UTC);
        info.environment = environmentName;
        info.note = note;
        unkept.reset();
        if (!notKept.isEmpty()) {
            info.number = 0;
            unkept = info;
            Q_EMIT servingChanged();
            return done(Applied{info, notKept});
        }
        kept.insert(kept.begin(), info);
        contents[info.number] = draft;
        Q_EMIT servingChanged();
        done(Applied{info});
    }

    std::function<void()> waiting_;
};

} // namespace sg::test
