// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSet>
#include <QStringList>

#include <string>
#include <vector>

namespace sg::workspace {

/// Words that were looked for already: does a text with one of some other words always have one of them too?
class WordCover
{
public:
    void add(const std::vector<std::string>& words);
    /// True when every word is there, or has one of them in it as a word of its own ("bug report" has "bug").
    bool covers(const std::vector<std::string>& words) const;

private:
    bool covers(const QString& word) const;
    QSet<QString> exact_;
    QStringList all_;
};

} // namespace sg::workspace
