// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/quantity_field.h"

#include "ui/edit/text_fields.h"
#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QStyle>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr double kUnitSize = 11.5;
constexpr int kInset = 8;

} // namespace

QuantityField::QuantityField(ThemeContext& context, Rules rules, const QString& accessibleName, QWidget* parent)
    : QLineEdit(parent)
    , context_(context)
    , rules_(std::move(rules))
{
    setAccessibleName(rules_.unit.isEmpty() ? accessibleName : accessibleName + QStringLiteral(", ") + rules_.unit);
    setPlaceholderText(rules_.whenEmpty);
    const QFontMetricsF metrics(context_.theme().font(kUnitSize));
    const int right =
        rules_.unit.isEmpty() ? 0 : static_cast<int>(std::ceil(metrics.horizontalAdvance(rules_.unit))) + kInset;
    setTextMargins(0, 0, right, 0);
    connect(this, &QLineEdit::textEdited, this, &QuantityField::read);
    connect(&context_, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

QString QuantityField::textOf(std::optional<double> value) const
{
    if (!value)
        return {};
    QString text = QLocale().toString(*value, 'f', rules_.decimals);
    const QString point = QLocale().decimalPoint();
    if (text.contains(point)) {
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
        if (text.endsWith(point))
            text.chop(point.size());
    }
    const QString group = QLocale().groupSeparator();
    return group.isEmpty() ? text : text.replace(group, rules_.isGrouped ? format::thin() : QString());
}

void QuantityField::setValue(std::optional<double> value)
{
    const bool saysSo = hasFocus() && problem_.isEmpty() && format::numberIn(text()) == value;
    value_ = value;
    if (saysSo)
        return;
    const int cursor = cursorPosition();
    setText(textOf(value));
    setCursorPosition(cursor);
    setProblem({});
}

void QuantityField::read(const QString& typed)
{
    const bool empty = typed.trimmed().isEmpty();
    const std::optional<double> number = format::numberIn(typed);
    const bool tooLow = number && (*number < rules_.low || (!rules_.lowIncluded && *number == rules_.low));
    const bool isWhole = number && (rules_.decimals > 0 || *number == std::floor(*number));
    if (empty ? !rules_.isOptional : !number || tooLow || *number > rules_.high || !isWhole) {
        const auto shown = [&](double value) {
            return textOf(value) + (rules_.unit.isEmpty() ? QString() : format::thin() + rules_.unit);
        };
        if (number && !isWhole && !tooLow && *number <= rules_.high)
            return setProblem(tr("A whole number"));
        if (tooLow && !rules_.lowIncluded)
            return setProblem(tr("Must be above %1").arg(shown(rules_.low)));
        return setProblem(tr("Between %1 and %2").arg(shown(rules_.low), shown(rules_.high)));
    }
    setProblem({});
    if (number == value_)
        return;
    value_ = number;
    Q_EMIT edited(value_);
}

void QuantityField::step(double by)
{
    const double from = value_.value_or(rules_.low);
    const double to = std::clamp(from + by * rules_.step, rules_.low, rules_.high);
    if (!rules_.lowIncluded && to == rules_.low)
        return;
    setText(textOf(to));
    read(text());
    selectAll();
}

void QuantityField::setProblem(const QString& problem)
{
    if (problem == problem_)
        return;
    problem_ = problem;
    setProperty("wrong", !problem.isEmpty());
    style()->unpolish(this);
    style()->polish(this);
    setToolTip(problem);
    setAccessibleDescription(problem);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    Q_EMIT problemChanged(problem);
}

bool QuantityField::event(QEvent* event)
{
    if (!isUndo(event))
        return QLineEdit::event(event);
    event->ignore();
    return false;
}

void QuantityField::keyPressEvent(QKeyEvent* event)
{
    const double times = event->modifiers() & Qt::ControlModifier ? 10 : 1;
    if (event->key() == Qt::Key_Up)
        return step(times);
    if (event->key() == Qt::Key_Down)
        return step(-times);
    if (event->key() == Qt::Key_Escape && !problem_.isEmpty()) {
        setText(textOf(value_));
        return setProblem({});
    }
    QLineEdit::keyPressEvent(event);
}

void QuantityField::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    if (problem_.isEmpty())
        setText(textOf(value_));
    Q_EMIT left();
}

void QuantityField::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    if (rules_.unit.isEmpty() || (text().isEmpty() && !rules_.whenEmpty.isEmpty()))
        return;
    QPainter p(this);
    const QFont font = context_.theme().font(kUnitSize);
    const QFontMetricsF metrics(font);
    const double baseline = (height() + metrics.ascent() - metrics.descent()) / 2;
    paint::text(p, width() - kInset, baseline, rules_.unit, font, context_.c().text3, Qt::AlignRight);
}

} // namespace sg::ui
