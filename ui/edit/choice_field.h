// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QComboBox>

#include <map>
#include <string>

namespace sg::ui {

/// A drop-down list in a form: the wheel scrolls the form, it does not change a setting on the way.
class ChoiceField : public QComboBox
{
    Q_OBJECT
public:
    explicit ChoiceField(const QString& accessibleName, QWidget* parent = nullptr);

    /// Takes other items without a signal; `current` is an item's data. One that is not among them is added, as
    /// missing.
    void setItems(const std::vector<std::pair<QString, QString>>& labelsAndData, const QString& current);
    QString chosen() const { return currentData().toString(); }

protected:
    void wheelEvent(QWheelEvent* event) override;
};

/// "Own settings", then the policies of the workspace, then those of the library that it does not replace.
template <class Policy>
void showPolicies(ChoiceField& field, const std::map<std::string, Policy>& own,
                  const std::map<std::string, Policy>& builtIn, const std::string& current)
{
    std::vector<std::pair<QString, QString>> items{{ChoiceField::tr("Own settings"), QString()}};
    const auto add = [&items](const std::string& name) {
        const QString text = QString::fromStdString(name);
        items.emplace_back(text, text);
    };
    for (const auto& [name, policy] : own)
        add(name);
    for (const auto& [name, policy] : builtIn)
        if (!own.contains(name))
            add(name);
    field.setItems(items, QString::fromStdString(current));
}

/// The policy of that name, the workspace's before the library's; null: there is none.
template <class Policy>
const Policy* findPolicy(const std::map<std::string, Policy>& own, const std::map<std::string, Policy>& builtIn,
                         const std::string& name)
{
    for (const auto* library : {&own, &builtIn})
        if (const auto found = library->find(name); found != library->end())
            return &found->second;
    return nullptr;
}

/// Takes the chosen policy, or with an empty name lets the values stand as settings of their own. False: it was chosen
/// already, or is not there.
template <class Policy>
bool takePolicy(const std::map<std::string, Policy>& own, const std::map<std::string, Policy>& builtIn,
                const QString& chosen, std::string& name, Policy& value)
{
    const std::string wanted = chosen.toStdString();
    const Policy* policy = findPolicy(own, builtIn, wanted);
    if (wanted == name || (!policy && !wanted.empty()))
        return false;
    name = wanted;
    if (policy)
        value = *policy;
    return true;
}

} // namespace sg::ui
