// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/error.h"

#include <QString>

/// The tables behind classifyAnswer, in the order in which they are asked. Private to the room.
namespace sg::provider {

/// A known code, type, exception name or reason decides at once. Exact, except that exception names may begin with a
/// small letter, as they do in event streams.
std::optional<Disposition> byCode(std::string_view provider, std::string_view code);

/// Words about size, quota and capacity; which words count depends on the status.
std::optional<Disposition> byText(int status, const QString& message);

/// The status that a code stands for where HTTP says 200; 0 when unknown.
int statusOfCode(std::string_view code);

/// The status that an error's words stand for, where neither HTTP nor a code says one; 0 when they do not tell.
int statusOfWords(const QString& message);

/// Never ErrorClass::None; anything below 400 is no answer to a POST.
Disposition byStatus(int status);

} // namespace sg::provider
