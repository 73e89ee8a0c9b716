// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/control.h"
#include "ui/load/form/form_part.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace sg::ui {

/// A target that is in no workspace: the address of any OpenAI-compatible API, the program's own gateway to begin with.
/// Says what it is, how its key stands, and asks it for its models.
class UrlPart : public FormPart
{
    Q_OBJECT
public:
    explicit UrlPart(load::LoadControl& control, QWidget* parent = nullptr);

    void write(load::LoadPlan& plan) const override; ///< also makes it the plan's target
    void show(const load::LoadPlan& plan) override;  ///< nothing of a plan with another target
    Problem problem() const override;
    std::vector<Mend> mends() const override;
    load::UrlTarget target() const;

    /// The gateway's address or its chains have changed; what somebody wrote stays.
    void reload();
    void test();

private:
    void setKey(const workspace::KeyRef& key);
    bool isOwn() const; ///< the program's own gateway
    void onEdited();
    void describe();
    void offer(const QStringList& models);
    void showTest(const engine::ConnectionResult& result);

    load::LoadControl& control_;
    std::optional<load::OwnGateway> gateway_;
    QLineEdit *address_, *keyName_;
    QComboBox *model_, *keyPlace_;
    QLabel *what_, *tested_;
    QString named_; ///< the key's name, once its field was left: somebody may paste the key itself there
    QPushButton* test_;
    quint64 testNumber_ = 0; ///< of the newest; answers to older ones are of no use
};

} // namespace sg::ui
