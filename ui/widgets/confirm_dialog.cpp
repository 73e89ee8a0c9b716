// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/confirm_dialog.h"
#include "ui/widgets/focus_ring.h"

#include <QCheckBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSpinBox>

namespace sg::ui {

namespace {

QPixmap bladePicture(const Theme& theme, const paint::BladeFacts& facts, double ratio)
{
    QPixmap pixmap(qRound(64 * ratio), qRound(30 * ratio));
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter p(&pixmap);
    paint::blade(p, QRectF(0, 4, 64, 26), facts, theme.c, theme.c.raised);
    return pixmap;
}

} // namespace

ConfirmDialog::ConfirmDialog(ThemeContext& context, const Question& question, QWidget* parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("confirm"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowModality(Qt::WindowModal);
    setWindowTitle(question.title);
    context.applyTo(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(6);
    column->addLayout(heading(context, question));
    auto* effect = new QLabel(question.effect);
    effect->setWordWrap(true);
    effect->setTextFormat(Qt::RichText);
    effect->setProperty("role", QStringLiteral("secondary"));
    column->addWidget(effect);
    auto* caption = new QLabel(question.needsReason ? tr("Reason, shown to everyone on this workspace")
                                                    : tr("Reason (optional), shown in the activity list"));
    caption->setProperty("role", QStringLiteral("caption"));
    column->addSpacing(2);
    column->addWidget(caption);
    reason_ = new QLineEdit;
    reason_->setObjectName(QStringLiteral("reason"));
    reason_->setMaxLength(120);
    reason_->setAccessibleName(caption->text());
    reason_->installEventFilter(this);
    column->addWidget(reason_);
    column->addSpacing(4);
    column->addLayout(buttons(question));
    setFixedWidth(412);
    new FocusRing(context, this);
    reason_->setFocus();
}

QLayout* ConfirmDialog::heading(ThemeContext& context, const Question& question)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    auto* picture = new QLabel;
    picture->setPixmap(bladePicture(context.theme(), question.blade, devicePixelRatioF()));
    row->addWidget(picture);
    auto* label = new QLabel(question.title);
    label->setTextFormat(Qt::PlainText);
    label->setProperty("role", QStringLiteral("heading"));
    label->setWordWrap(true);
    row->addWidget(label, 1);
    return row;
}

QLayout* ConfirmDialog::buttons(const Question& question)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    if (question.undoMinutes) {
        undo_ = new QCheckBox(question.undoLabel);
        undo_->setObjectName(QStringLiteral("undo"));
        undo_->setChecked(true);
        minutes_ = new QSpinBox;
        minutes_->setObjectName(QStringLiteral("undoMinutes"));
        minutes_->setRange(1, 24 * 60);
        minutes_->setValue(*question.undoMinutes);
        minutes_->setSuffix(tr("\u202Fmin"));
        minutes_->setFixedWidth(84);
        minutes_->setAccessibleName(question.undoLabel);
        connect(undo_, &QCheckBox::toggled, minutes_, &QWidget::setEnabled);
        row->addWidget(undo_);
        row->addWidget(minutes_);
    }
    row->addStretch(1);
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setObjectName(QStringLiteral("cancel"));
    cancel->setDefault(true);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    row->addWidget(cancel);
    act_ = new QPushButton(question.action);
    act_->setObjectName(QStringLiteral("confirmAction"));
    act_->setAutoDefault(false);
    act_->setProperty("role", QStringLiteral("danger"));
    connect(act_, &QPushButton::clicked, this, &ConfirmDialog::finish);
    row->addWidget(act_);
    if (question.needsReason) {
        act_->setEnabled(false);
        act_->setToolTip(tr("Say why first"));
        connect(reason_, &QLineEdit::textChanged, this, [this](const QString& text) {
            act_->setEnabled(!text.trimmed().isEmpty());
            act_->setToolTip(act_->isEnabled() ? QString() : tr("Say why first"));
        });
    }
    return row;
}

void ConfirmDialog::finish()
{
    Answer answer{reason_->text().trimmed(), std::nullopt};
    if (undo_ && undo_->isChecked())
        answer.undoAfter = std::chrono::minutes(minutes_->value());
    accept();
    Q_EMIT confirmed(answer);
}

bool ConfirmDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == reason_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            focusNextChild(); // Enter must neither act nor throw the typed reason away
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace sg::ui
