// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/spec.h"

#include <QString>

/// What a router or the rules of a canned reply do with a sentence, and why; asked before it serves.
namespace sg::ui::trial {

struct RouteTrial
{
    int decides = -1;           ///< index of the class; -1: none fits
    std::vector<QString> found; ///< words of that class that occur, those of earlier classes where they count
};
RouteTrial route(const chain::RouterSpec& router, const QString& sentence);
/// "complex: “design” and “optimise” occur, 2 asked for; goes to gpt-4.1 first".
QString words(const chain::RouterSpec& router, const RouteTrial& trial);

struct RuleTrial
{
    int answers = -1; ///< index of the rule; -1: none
    std::vector<QString> found;
};
RuleTrial rule(const std::vector<chain::CannedRule>& rules, const QString& sentence);
QString words(const std::vector<chain::CannedRule>& rules, const RuleTrial& trial);

} // namespace sg::ui::trial
