// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace sg::app {

/// Before the application object: the event loops of all threads but the main one run on poll() alone. GLib's loop,
/// which Qt takes otherwise where it finds it, asks and tells its sources anew in every turn and writes to wake itself
/// for every event that is posted, and an answer crosses between QNetworkAccessManager's thread and the engine's some
/// ten times: without it a request through the gateway takes a sixth less CPU (docs/numbers.md). The main thread keeps
/// it, because the keychain's library answers through it. Whoever has set QT_NO_THREADED_GLIB has decided. Not for the
/// desk: what is started from it inherits the variable.
void useLeanThreads();

} // namespace sg::app
