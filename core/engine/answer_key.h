// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/hide_key.h"
#include "core/provider/chat.h"

#include <vector>

/// Some providers repeat what they were sent, in any field of an answer; what is told of it does not hold the
/// endpoint's key.
namespace sg::engine {

/// hideKey in every field.
provider::Answer withoutKey(provider::Answer answer, const QByteArray& key);
/// The same in all but text, reasoning, tool calls and usage: cheap where it holds none.
provider::Answer withoutKeyInHead(provider::Answer answer, const QByteArray& key);

/// hideKey for an answer that comes in deltas, also where the key is cut between them; see KeyHider. One thread.
class DeltaKeys
{
public:
    explicit DeltaKeys(QByteArray key);
    provider::Delta take(const provider::Delta& delta); ///< says nothing when all of it is held back
    provider::Delta rest();                             ///< what was held back; nothing comes after it
    bool isIdle() const { return text_.isIdle(); }      ///< there is no key to hide
    bool hasMet() const;                                ///< a mention, or what may be the beginning of one

private:
    KeyHider& argumentsOf(int index);

    QByteArray key_;
    KeyHider text_, reasoning_;
    std::vector<std::pair<int, KeyHider>> arguments_; ///< by the call's index
    bool hasHidden_ = false;                          ///< in what comes whole
};

} // namespace sg::engine
