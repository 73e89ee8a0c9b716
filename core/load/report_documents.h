// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>
#include <QString>

/// A report (switchgear-load/2) as a document. Whatever is missing in it is left out or shown as unknown. Pure.
namespace sg::load {

/// One page that needs nothing else: styles and plots are in it, no script, no address is ever asked. Light or dark as
/// the reader's system is.
QString htmlOf(const QJsonObject& report, const QString& title);

/// A summary for a pull request (GitHub's Markdown). Texts from outside cannot add markup.
QString markdownOf(const QJsonObject& report, const QString& title);

} // namespace sg::load
