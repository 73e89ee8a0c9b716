// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/verdict.h"

#include <variant>

namespace sg::http {

class CurlExchange;

/// What the thread of libcurl tells the one of the transport. Of each transfer in the order headers? body* done; done
/// exactly once, and nothing after it.
struct CurlEvent
{
    struct Head
    {
        int status;
        Headers headers;
        QString certificate{}; ///< as in Outcome, if it was asked for
    };
    struct Piece
    {
        QByteArray bytes;
    };
    struct Done
    {
        Verdict verdict;
        bool isAbrupt; ///< a limit or a cancel: it does not wait for pieces that were not taken
    };

    CurlExchange* exchange; ///< kept by the transport until it has seen Done
    Instant at;
    std::variant<Head, Piece, Done> what;
};

} // namespace sg::http
