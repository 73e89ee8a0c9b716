// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/word_cover.h"

#include "core/chain/canned_reply.h"

#include <algorithm>

namespace sg::workspace {

namespace {

QString comparable(const std::string& word)
{
    return QString::fromStdString(word).normalized(QString::NormalizationForm_C).toCaseFolded();
}

} // namespace

void WordCover::add(const std::vector<std::string>& words)
{
    for (const std::string& word : words) {
        const QString text = comparable(word);
        if (text.isEmpty() || exact_.contains(text))
            continue;
        exact_.insert(text);
        all_ << text;
    }
}

bool WordCover::covers(const std::vector<std::string>& words) const
{
    return std::ranges::all_of(words, [&](const std::string& word) { return covers(comparable(word)); });
}

bool WordCover::covers(const QString& word) const
{
    if (exact_.contains(word))
        return true;
    return std::ranges::any_of(
        all_, [&](const QString& known) { return word.contains(known) && chain::containsWord(word, known); });
}

} // namespace sg::workspace
