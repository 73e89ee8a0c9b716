// SPDX-License-Identifier: GPL-3.0-or-later
// Gives header-only rooms an object file.
