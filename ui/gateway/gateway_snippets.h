// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

#include <vector>

/// How applications are told where the gateway is. A token is never in them: a variable's name stands in its place.
namespace sg::ui::gatewaysnippets {

enum class Form { BaseUrl, JavaScript, Python, Curl, Environment };

struct Target
{
    QString url;           ///< "http://127.0.0.1:8787/v1"
    QString model;         ///< what is asked for; empty: a word to put one's own
    QString tokenVariable; ///< empty: no token is asked for
};

const std::vector<Form>& forms();
QString title(Form form); ///< "curl", as a menu shows it
QString text(Form form, const Target& target);

} // namespace sg::ui::gatewaysnippets
