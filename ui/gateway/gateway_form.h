// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/secrets/key_control.h"
#include "core/workspace/finding.h"
#include "ui/edit/bound_fields.h"
#include "ui/edit/draft.h"
#include "ui/edit/serving.h"

#include <QTimer>
#include <QWidget>

#include <map>

class QHBoxLayout;
class QVBoxLayout;

namespace sg::ui {

class FieldRows;
class GatewayToken;
class TextLine;
class WordsBox;

/// The draft's gateway: each field writes to the draft as it is typed in, shows what the draft says, and what is wrong
/// with it.
class GatewayForm : public QWidget
{
    Q_OBJECT
public:
    /// All outlive it.
    GatewayForm(ThemeContext& context, Draft& draft, ServingControl& serving, secrets::KeyControl& keys,
                QWidget* parent = nullptr);

    /// As findings and the panel call it: "port", "token", "max_in_flight". One that is not known: the first.
    void focusField(const QString& name);
    void lintNow();
    QString problemOf(const QString& field) const; ///< what is said at it; empty: fine

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    using Settings = workspace::GatewaySettings;
    using Value = std::optional<double>;

    void makeAddress();
    void makeToken(ThemeContext& context, secrets::KeyControl& keys);
    void makeCallers();
    void makeStreams();
    void makeLimits();
    void addNote(const QString& words);
    WordsBox* addWords(const QString& key, const QString& caption, const QString& example, QStringList Settings::*list);
    /// Seconds of a span.
    QuantityField* addSpan(const QString& key, const QString& caption, double low, Nanos Settings::*span);
    QuantityField* addCount(const QString& key, const QString& caption, double low, int Settings::*count);
    void edit(const QString& words, const QString& key, const std::function<void(Settings&)>& change);
    void follow();
    void lintSoon();
    void showFindings(const workspace::Findings& findings);
    void showFixes(const std::vector<workspace::Fix>& fixes);

    Draft& draft_;
    ServingControl& serving_;
    QVBoxLayout* column_;
    FieldRows* rows_ = nullptr; ///< of the section that is being made
    BoundFields<Settings> fields_;
    struct Place
    {
        QWidget* field;
        FieldRows* rows;
    };
    std::map<QString, Place> places_; ///< by the file's name of the field
    std::vector<std::function<void(const Settings&)>> shows_;
    GatewayToken* token_ = nullptr;
    QWidget* fixes_ = nullptr;
    QHBoxLayout* fixRow_ = nullptr;
    QTimer lint_;
    bool needsLint_ = true;
};

} // namespace sg::ui
