// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/playground/answer_parts.h"
#include "ui/playground/recorded_view.h"

#include <QFrame>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;
class QVBoxLayout;

namespace sg::ui {

class RowsModel;
class Segments;

/// Says why there is no whole answer: what happened, the provider's words, what Switchgear did.
class FailureBox : public QFrame
{
    Q_OBJECT
public:
    explicit FailureBox(QWidget* parent = nullptr);
    void setFailure(const words::Failure& failure); ///< hidden when it has no title
    const words::Failure& failure() const { return failure_; }

private:
    QLabel *title_, *provider_, *did_;
    words::Failure failure_;
};

/// The answer of one request as it comes: text, bytes, pieces; or a recorded answer. A provider's words are shown as
/// they are, never as HTML.
class ResponseView : public QWidget
{
    Q_OBJECT
public:
    explicit ResponseView(ThemeContext& context, QWidget* parent = nullptr);

    QWidget* corner() const { return corner_; } ///< status and tabs, for the panel's title line

    void setEmpty(const QString& sentence, bool canSend);
    void setView(const engine::WatchViewPtr& view, int attempt, const std::optional<engine::WatchEstimate>& other);
    void setRecorded(const RecordedView& recorded);

    const words::Status& status() const { return tag_->status(); }
    QString text() const;
    QString raw() const;
    QString note() const;

Q_SIGNALS:
    void sendClicked();
    void openClicked();
    void backClicked(); ///< away from the recorded answer

private:
    QWidget* makeEmpty();
    QWidget* makeContent();
    QWidget* makeText();
    void showAnswer(const provider::Answer& answer, bool isPartial, bool isRunning, bool hasFailed);
    void showTools(const QJsonArray& calls);
    void showRaw(const QByteArray& bytes, qint64 ofBytes);
    void showTokens();

    ThemeContext& context_;
    QWidget* corner_ = nullptr;
    StatusTag* tag_ = nullptr;
    Segments* tabs_ = nullptr;
    QStackedWidget *stack_ = nullptr, *body_ = nullptr;
    QLabel *emptyWords_ = nullptr, *recordedLabel_ = nullptr, *partial_ = nullptr, *note_ = nullptr;
    QPushButton *emptySend_ = nullptr, *back_ = nullptr;
    QFrame* recordedBar_ = nullptr;
    FailureBox* failure_ = nullptr;
    QToolButton* reasoningToggle_ = nullptr;
    QPlainTextEdit *reasoning_ = nullptr, *text_ = nullptr, *raw_ = nullptr;
    QWidget* tools_ = nullptr;
    QVBoxLayout* toolsLayout_ = nullptr;
    QWidget* toolsScroll_ = nullptr;
    RowsModel* pieces_ = nullptr;
    TokenStrip* strip_ = nullptr;
    FiguresStrip* figures_ = nullptr;
    engine::WatchViewPtr view_;
    QByteArray rawShown_;
    QJsonArray toolsShown_;
    QString textNote_, rawNote_, rawBroken_;
    bool wantsReasoning_ = true;
};

} // namespace sg::ui
