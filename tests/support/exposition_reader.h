// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/exposition.h"

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace sg::test {

struct ExposedSample
{
    QString name;
    QMap<QString, QString> labels;
    double value = 0;
};

struct ExposedFamily
{
    QString name, type, unit, help; ///< the name as the page calls it
    QList<ExposedSample> samples;
};

/// One page, read as strictly as its format allows: what is wrong stands in `faults`.
struct Exposed
{
    QList<ExposedFamily> families;
    QStringList faults;

    const ExposedFamily* family(const QString& name) const;
    /// Of the one sample with just these labels.
    std::optional<double> value(const QString& sample, const QMap<QString, QString>& labels = {}) const;
};

Exposed readExposition(const QByteArray& page, observe::ExpositionFormat format);

} // namespace sg::test
