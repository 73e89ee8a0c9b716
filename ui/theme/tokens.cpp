// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/tokens.h"

namespace sg::ui {

Tokens darkTokens()
{
    Tokens t;
    t.window = QColor(0x0A0D12);
    t.bar = QColor(0x10141B);
    t.card = QColor(0x151A22);
    t.raised = QColor(0x1D242F);
    t.selected = QColor(0x28313F);
    t.line = QColor(0x252D39);
    t.outline = QColor(0x5D6A7D);
    t.text = QColor(0xE8ECF2);
    t.text2 = QColor(0xAAB4C2);
    t.text3 = QColor(0x8591A2);
    t.accent = QColor(0x5AB0F7);
    t.accentTint = QColor(0x15314A);
    t.onAccent = QColor(0x06131F);
    t.closed = QColor(0x2EC4A0);
    t.closedTint = QColor(0x11322D);
    t.half = QColor(0xF0B429);
    t.halfTint = QColor(0x372B10);
    t.open = QColor(0xFF6F4F);
    t.openTint = QColor(0x3D1C17);
    t.locked = QColor(0xE3E8EF);
    t.lockedTint = QColor(0x2A323D);
    t.series = {QColor(0x67B5E9), QColor(0x9D85FF), QColor(0xCC669C),
                QColor(0xE3E3A0), QColor(0x7F8C9D), QColor(0x667385)};
    t.p50 = QColor(0x67B5E9);
    t.p95 = QColor(0x9D85FF);
    t.p99 = QColor(0xF2A0CF);
    t.heat = {QColor(0x16283A), QColor(0x183F5C), QColor(0x1B5A80), QColor(0x2679A3),
              QColor(0x3F9BC0), QColor(0x73BFD4), QColor(0xB3DDDF), QColor(0xF4F6DF)};
    return t;
}

Tokens lightTokens()
{
    Tokens t;
    t.window = QColor(0xE9EDF2);
    t.bar = QColor(0xF7F9FB);
    t.card = QColor(0xFFFFFF);
    t.raised = QColor(0xF1F4F8);
    t.selected = QColor(0xDFE6EE);
    t.line = QColor(0xD5DCE5);
    t.outline = QColor(0x8290A2);
    t.text = QColor(0x131A23);
    t.text2 = QColor(0x435063);
    t.text3 = QColor(0x5B687A);
    t.accent = QColor(0x0B63BD);
    t.accentTint = QColor(0xDCEBFB);
    t.onAccent = QColor(0xFFFFFF);
    t.closed = QColor(0x007A5E);
    t.closedTint = QColor(0xDDF3EC);
    t.half = QColor(0x9A6600);
    t.halfTint = QColor(0xFDF6E3);
    t.open = QColor(0x8F1A0C);
    t.openTint = QColor(0xFCE3DD);
    t.locked = QColor(0x435063);
    t.lockedTint = QColor(0xE4E9F0);
    t.series = {QColor(0x207AB6), QColor(0x3B1782), QColor(0xA8247C),
                QColor(0x5C590A), QColor(0x66727F), QColor(0x838F9E)};
    t.p50 = QColor(0x207AB6);
    t.p95 = QColor(0x3B1782);
    t.p99 = QColor(0xA8247C);
    t.heat = {QColor(0xE3F0F4), QColor(0xBFDDE8), QColor(0x93C5DA), QColor(0x63A8CA),
              QColor(0x3A88B5), QColor(0x1F6796), QColor(0x174A73), QColor(0x10294A)};
    return t;
}

StateColours stateColours(const Tokens& tokens, policy::BreakerState state)
{
    using policy::BreakerState;
    switch (state) {
    case BreakerState::Closed:
    case BreakerState::MetricsOnly:
        return {tokens.closed, tokens.closedTint};
    case BreakerState::HalfOpen:
        return {tokens.half, tokens.halfTint};
    case BreakerState::Open:
        return {tokens.open, tokens.openTint};
    case BreakerState::ForcedOpen:
    case BreakerState::ForcedClosed:
        break;
    }
    return {tokens.locked, tokens.lockedTint};
}

} // namespace sg::ui
