// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>

namespace sg::http {

/// Raises how many descriptors this process may open to what the system allows it (soft to hard limit: a login gives
/// 1,024, of which every connection takes one), and returns how many that are. Programs call it once at their start;
/// what they start inherits it.
int raiseDescriptorLimit();
/// How many this process may open now; 0: unknown.
int descriptorLimit();

/// Whether this process can open `wanted` more just now; a few.
bool hasDescriptors(int wanted);

/// How many clients may be connected where a process may open `descriptors`, so that there are some left for what it
/// does for them: without one for a thread Qt ends the process, and without one for a socket a provider could not be
/// asked. 128 are kept for its own files, threads and screens and for clients that only get their refusal. Of the rest
/// clients get what `errands` leave, the most descriptors that requests under way take beside their connections, but a
/// third at least; where that is not known (negative), a half.
int connectionsWithin(int descriptors, qint64 errands);

/// One descriptor in reserve for a listener. When there are no others a client would hang in the backlog, and the
/// listener would be told of it for ever: with this one each is let in, told so, and sent away.
class SpareDescriptor
{
public:
    SpareDescriptor();
    ~SpareDescriptor();
    SpareDescriptor(const SpareDescriptor&) = delete;
    SpareDescriptor& operator=(const SpareDescriptor&) = delete;

    /// Sends `answer` to clients that wait at the listening socket and closes them; how many. Does nothing, and returns
    /// 0, when descriptors can be had.
    int turnAway(int listening, const QByteArray& answer);

private:
    void reopen();
    int spare_ = -1;
};

} // namespace sg::http
