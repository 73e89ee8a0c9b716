// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/endpoints/form_section.h"

#include <map>
#include <set>

class QPushButton;

namespace sg::ui {

/// Where a key is and how it is; takes a new one. What is typed here goes to where keys are kept and nowhere else.
class KeySection : public FormSection
{
    Q_OBJECT
public:
    enum class Of { Endpoint, Proxy };
    KeySection(ThemeContext& context, EndpointEditor& editor, Of of);

    void showEndpoint(const workspace::Endpoint& endpoint) override;

private:
    enum class Action { Read, UseVariable, UseKeychain, UseSession, Forget, ReallyForget, KeepIt };
    struct Offer
    {
        Action action;
        QString words;
    };

    void makeWhere();
    void makeEntry();
    void makeState();
    const workspace::KeyRef& refOf(const workspace::Endpoint& endpoint) const;
    void editRef(const QString& words, const std::function<void(workspace::KeyRef&)>& change);
    void choose(workspace::KeySource source);
    void leaveName();
    QString nameProblem(const QString& name) const;
    void checkEntry();
    void store();
    void ended(const std::string& endpoint, const secrets::WriteResult& result, const secrets::Secret& typed = {});
    QStringList prefixesOf(const workspace::Endpoint* endpoint) const;
    std::vector<Offer> offers(const workspace::Endpoint& endpoint, const secrets::KeyStatus& status) const;
    void run(Action action);
    void showState(const workspace::Endpoint& endpoint);
    void showMark(secrets::KeyState state, const QColor& ink);
    QString stateWords(const workspace::Endpoint& endpoint, const secrets::KeyStatus& status) const;

    Of of_;
    ChoiceField* where_ = nullptr;
    QLineEdit *name_ = nullptr, *entry_ = nullptr;
    QPushButton *store_ = nullptr, *first_ = nullptr, *second_ = nullptr;
    QLabel *mark_ = nullptr, *state_ = nullptr, *remedy_ = nullptr, *prefixes_ = nullptr;
    std::vector<Offer> offers_;
    /// An attempt to keep or forget a key that went wrong. What was typed is kept to try again.
    struct Failure
    {
        QString words;
        secrets::Secret typed;
    };
    std::map<std::string, Failure> failures_; ///< by endpoint: an answer may come when another is in front
    std::set<std::string> storing_;           ///< endpoints whose key is on its way
    bool asksForget_ = false;
    std::string shown_;
};

} // namespace sg::ui
