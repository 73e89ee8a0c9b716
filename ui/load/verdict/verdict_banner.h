// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QStringList>
#include <QWidget>

namespace sg::ui {

/// Whether a run counts, in one line, and why not below. A run that is INVALID says so first: whether its objectives
/// were met means nothing then.
class VerdictBanner : public QWidget
{
    Q_OBJECT
public:
    enum class Kind { None, Running, Passed, Missed, Valid, Invalid, Failed };
    struct Content
    {
        Kind kind = Kind::None;
        QString head;        ///< "INVALID run"
        QStringList reasons; ///< sentences
        bool operator==(const Content&) const = default;
    };

    explicit VerdictBanner(ThemeContext& context, QWidget* parent = nullptr);

    /// Announced to assistive technology when the kind changes.
    void setContent(Content content);
    const Content& content() const { return content_; }

    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {360, heightForWidth(360)}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
    ThemeContext& context_;
    Content content_;
};

/// How it ended: valid or not, and of `objectives` how many were missed and had no data. `reasons` say why it is
/// invalid.
VerdictBanner::Content verdictOf(bool isValid, const QStringList& reasons, int objectives, int missed, int withoutData);

} // namespace sg::ui
