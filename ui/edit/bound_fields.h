// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"
#include "ui/edit/quantity_field.h"
#include "ui/widgets/segments.h"

#include <QCheckBox>

#include <cmath>
#include <functional>
#include <optional>
#include <vector>

namespace sg::ui {

inline double secondsOf(Nanos span)
{
    return toMs(span) / 1000;
}
/// Whole milliseconds, as files have them.
inline Nanos nanosOf(double seconds)
{
    return Millis(static_cast<std::int64_t>(std::llround(seconds * 1000)));
}
inline std::optional<double> secondsOf(const std::optional<Nanos>& span)
{
    return span ? std::optional<double>(secondsOf(*span)) : std::nullopt;
}
inline std::optional<Nanos> nanosOf(const std::optional<double>& seconds)
{
    return seconds ? std::optional<Nanos>(nanosOf(*seconds)) : std::nullopt;
}

/// The fields of one value: shows it in all of them, and tells what is done in one as a change of it.
template <class T>
class BoundFields
{
public:
    using Change = std::function<void(T&)>;
    /// `words` name the field; `key` is empty for what is done at one go, as a tick: such edits never merge.
    using Edit = std::function<void(const QString& words, const QString& key, const Change& change)>;
    using Number = std::optional<double>;

    BoundFields(ThemeContext& context, Edit edit, std::function<void()> left)
        : context_(context)
        , edit_(std::move(edit))
        , left_(std::move(left))
    {
    }
    BoundFields(const BoundFields&) = delete;
    BoundFields& operator=(const BoundFields&) = delete;

    QuantityField* number(const QString& key, const QString& name, QuantityField::Rules rules,
                          std::function<Number(const T&)> get, std::function<void(T&, Number)> set)
    {
        auto* field = new QuantityField(context_, std::move(rules), name);
        field->setObjectName(key);
        QObject::connect(field, &QuantityField::edited, field, [this, set, key, name](const Number& value) {
            if (!isShowing_)
                edit_(name, key, [set, value](T& target) { set(target, value); });
        });
        QObject::connect(field, &QuantityField::left, field, left_);
        shows_.push_back([field, get](const T& value) { field->setValue(get(value)); });
        return field;
    }

    QCheckBox* check(const QString& key, const QString& label, const QString& name, std::function<bool(const T&)> get,
                     std::function<void(T&, bool)> set)
    {
        auto* box = new QCheckBox(label);
        box->setObjectName(key);
        box->setAccessibleName(name);
        QObject::connect(box, &QCheckBox::clicked, box,
                         [this, set, name](bool on) { edit_(name, {}, [set, on](T& target) { set(target, on); }); });
        shows_.push_back([box, get](const T& value) { box->setChecked(get(value)); });
        return box;
    }

    Segments* segments(const QString& key, const QStringList& labels, const QString& name,
                       std::function<int(const T&)> get, std::function<void(T&, int)> set)
    {
        auto* row = new Segments(labels, name, true);
        row->setProperty("field", key);
        row->setFixedHeight(26);
        QObject::connect(row, &Segments::selected, row, [this, set, name](int at) {
            if (!isShowing_)
                edit_(name, {}, [set, at](T& target) { set(target, at); });
        });
        shows_.push_back([row, get](const T& value) { row->setCurrent(get(value)); });
        return row;
    }

    void show(const T& value)
    {
        isShowing_ = true;
        for (const auto& each : shows_)
            each(value);
        isShowing_ = false;
    }

private:
    ThemeContext& context_;
    Edit edit_;
    std::function<void()> left_;
    std::vector<std::function<void(const T&)>> shows_;
    bool isShowing_ = false;
};

} // namespace sg::ui
