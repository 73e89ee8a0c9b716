// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/watch.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace sg::ui {

class Segments;

/// What is sent next and where: as a form, or as the JSON body itself. What the form has no field for (tools, images,
/// earlier messages) stays in the request and is named.
class PromptForm : public QWidget
{
    Q_OBJECT
public:
    PromptForm(ThemeContext& context, engine::WatchControl& control, QWidget* parent = nullptr);

    /// Chat or JSON, for the panel's corner.
    QWidget* modes() const;

    std::optional<engine::CallTarget> target() const; ///< empty: there is none
    std::optional<provider::ChatRequest> request() const;
    QString problem() const; ///< why nothing can be sent; empty: it can
    void focusProblem();
    void setTarget(const engine::CallTarget& target);
    void setRequest(const provider::ChatRequest& request);
    void reloadTargets();

    /// What was being written, for the next start: JSON, masked, without keys.
    QByteArray draft() const;
    void setDraft(const QByteArray& draft); ///< what cannot be read is ignored

    void setRunning(bool running);
    QPushButton* sendButton() const { return send_; }

Q_SIGNALS:
    void changed();
    void sendClicked();

private:
    QWidget* makeChat();
    QWidget* makeJson();
    void makeTop(QVBoxLayout* column);
    void makeFoot(QVBoxLayout* column);
    void selectMode(int mode);
    void refresh();
    void markLine(int line);
    void showEstimate();
    provider::ChatRequest composed() const;
    QString restWords() const;

    ThemeContext& context_;
    engine::WatchControl& control_;
    Segments* modes_;
    QStackedWidget* stack_ = nullptr;
    QComboBox *target_ = nullptr, *stream_ = nullptr;
    QLineEdit *temperature_ = nullptr, *maxTokens_ = nullptr;
    QPlainTextEdit *system_ = nullptr, *user_ = nullptr, *json_ = nullptr;
    QLabel *rest_ = nullptr, *error_ = nullptr, *estimate_ = nullptr;
    QPushButton* send_ = nullptr;
    std::vector<engine::WatchTarget> targets_;
    provider::ChatRequest base_; ///< what the form has no field for
    QString problem_;
    QWidget* problemField_ = nullptr;
    bool isFilling_ = false;
};

} // namespace sg::ui
