// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/secrets/key_desk.h"

namespace sg::secrets {

namespace {

KeyState stateOf(SecretErrorKind kind)
{
    switch (kind) {
    case SecretErrorKind::Missing:
        return KeyState::Missing;
    case SecretErrorKind::Locked:
        return KeyState::Locked;
    case SecretErrorKind::Absent:
        return KeyState::Absent;
    case SecretErrorKind::Malformed:
        return KeyState::Malformed;
    case SecretErrorKind::Denied:
        break;
    }
    return KeyState::Denied;
}

bool isKeychainFault(const SecretError& error)
{
    return error.kind == SecretErrorKind::Locked || error.kind == SecretErrorKind::Absent;
}

SecretError withoutName()
{
    return {SecretErrorKind::Missing, QStringLiteral("The key has no name."),
            QStringLiteral("Name the environment variable or the entry it is kept in.")};
}

SecretError notGivenBack()
{
    return {SecretErrorKind::Denied, QStringLiteral("The keychain took the key and does not give it back."),
            QStringLiteral("Check the keychain service, or use an environment variable, or enter the key for this run "
                           "only.")};
}

WriteResult cannotBeKept(KeyHome home)
{
    if (home == KeyHome::Environment)
        return tl::unexpected(
            SecretError{SecretErrorKind::Denied, QStringLiteral("An environment variable cannot be set from here."),
                        QStringLiteral("Set it where Switchgear is started, or keep the key in the keychain.")});
    return tl::unexpected(SecretError{SecretErrorKind::Denied, QStringLiteral("This endpoint uses no key."),
                                      QStringLiteral("Choose first where its key is kept.")});
}

/// What is wrong with the text in an entry is told together with the entry.
ReadResult named(const ReadResult& read, const QString& entry)
{
    if (read || read.error().kind != SecretErrorKind::Malformed)
        return read;
    SecretError error = read.error();
    error.words = QStringLiteral("Keychain entry \"%1\": %2").arg(entry, error.words);
    return tl::unexpected(error);
}

} // namespace

KeyDesk::KeyDesk(const QString& service, QObject* parent)
    : KeyControl(parent)
    , keychain_(service)
{
}

KeyStatus KeyDesk::statusOf(const Place& place, const Entry& entry)
{
    KeyStatus status;
    status.home = place.first;
    status.name = place.second;
    if (!entry.read) {
        status.state = KeyState::Reading;
        status.words = QStringLiteral("The key is still being read from the keychain.");
        status.remedy = QStringLiteral("The keychain may be asking for its password in a window of its own.");
        return status;
    }
    if (!*entry.read) {
        const SecretError& error = entry.read->error();
        status.state = stateOf(error.kind);
        status.words = error.words;
        status.remedy = error.remedy;
        return status;
    }
    status.state = KeyState::Ready;
    if (const auto odd = checkKeyPrefix(QString::fromUtf8((*entry.read)->reveal()), entry.prefixes)) {
        status.isOdd = true;
        status.words = odd->words;
        status.remedy = odd->remedy;
    }
    return status;
}

KeyDesk::Entry& KeyDesk::entryAt(const Place& place)
{
    Entry& entry = entries_[place];
    if (entry.read || entry.asked)
        return entry;
    if (place.first == KeyHome::Environment)
        entry.read = environment_.readNow(place.second);
    else if (place.first == KeyHome::Session)
        entry.read = session_.readNow(place.second);
    return entry;
}

KeyStatus KeyDesk::status(KeyHome home, const QString& name)
{
    if (home == KeyHome::None)
        return {};
    const Place place{home, name.trimmed()};
    if (place.second.isEmpty())
        return statusOf(place, {tl::unexpected(withoutName()), {}, false});
    Entry& entry = entryAt(place);
    if (!entry.read && !std::exchange(entry.asked, true))
        readLater(place.second);
    return statusOf(place, entry);
}

tl::expected<Secret, KeyStatus> KeyDesk::key(KeyHome home, const QString& name)
{
    const Place place{home, name.trimmed()};
    if (home == KeyHome::None || place.second.isEmpty())
        return tl::unexpected(statusOf(place, {tl::unexpected(withoutName()), {}, false}));
    const Entry& entry = entryAt(place);
    if (entry.read && *entry.read)
        return **entry.read;
    return tl::unexpected(statusOf(place, entry));
}

void KeyDesk::expect(KeyHome home, const QString& name, const QStringList& prefixes)
{
    const Place place{home, name.trimmed()};
    if (home == KeyHome::None || place.second.isEmpty())
        return;
    Entry& entry = entryAt(place);
    const bool wasOdd = statusOf(place, entry).isOdd;
    entry.prefixes = prefixes;
    if (wasOdd != statusOf(place, entry).isOdd)
        Q_EMIT changed();
}

void KeyDesk::settle(const Place& place, const ReadResult& read)
{
    Entry& entry = entries_[place];
    const bool isSame = entry.read && *entry.read == read;
    entry.read = read;
    entry.asked = true;
    if (!isSame)
        Q_EMIT changed();
}

void KeyDesk::noteFault(const std::optional<SecretError>& fault)
{
    if (keychainFault_ == fault)
        return;
    const bool flips = keychainFault_.has_value() != fault.has_value();
    keychainFault_ = fault;
    if (flips)
        Q_EMIT changed();
}

void KeyDesk::readLater(const QString& name)
{
    enqueue([this, name](const std::function<void()>& next) {
        const Place place{KeyHome::Keychain, name};
        if (keychainFault_) { // each further question might open the same window again
            settle(place, tl::unexpected(*keychainFault_));
            return next();
        }
        keychain_.read(name, [this, place, next](const ReadResult& read) {
            const bool isFault = !read && isKeychainFault(read.error());
            noteFault(isFault ? std::optional(read.error()) : std::nullopt);
            settle(place, named(read, place.second));
            next();
        });
    });
}

void KeyDesk::enqueue(Task task)
{
    tasks_.push_back(std::move(task));
    if (std::exchange(busy_, true))
        return;
    QMetaObject::invokeMethod(this, &KeyDesk::runNext, Qt::QueuedConnection);
}

void KeyDesk::runNext()
{
    if (tasks_.empty()) {
        busy_ = false;
        for (const auto& done : std::exchange(waiting_, {}))
            done();
        return;
    }
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    task([this] { QMetaObject::invokeMethod(this, &KeyDesk::runNext, Qt::QueuedConnection); });
}

void KeyDesk::whenIdle(std::function<void()> done)
{
    if (!busy_)
        return done();
    waiting_.push_back(std::move(done));
}

void KeyDesk::store(KeyHome home, const QString& name, const Secret& key, std::function<void(const WriteResult&)> done)
{
    const QString entry = name.trimmed();
    if (home != KeyHome::Keychain && home != KeyHome::Session)
        return done(cannotBeKept(home));
    if (entry.isEmpty())
        return done(tl::unexpected(withoutName()));
    if (home == KeyHome::Session)
        return done(storeForThisRun(entry, key));
    if (const auto problem = checkKey(QString::fromUtf8(key.reveal())))
        return done(tl::unexpected(*problem));
    storeInKeychain(entry, key, done);
}

WriteResult KeyDesk::storeForThisRun(const QString& name, const Secret& key)
{
    const WriteResult written = session_.write(name, key);
    if (written)
        settle({KeyHome::Session, name}, session_.readNow(name));
    return written;
}

void KeyDesk::storeInKeychain(const QString& name, const Secret& key,
                              const std::function<void(const WriteResult&)>& done)
{
    enqueue([this, name, key, done](const std::function<void()>& next) {
        keychain_.write(name, key, [this, name, key, done, next](const WriteResult& written) {
            const auto tell = [done, next](const WriteResult& result) {
                done(result);
                next();
            };
            if (written)
                return readBack(name, key, tell);
            if (isKeychainFault(written.error())) {
                noteFault(written.error());
                const Place place{KeyHome::Keychain, name};
                if (!entryAt(place).read || !*entryAt(place).read)
                    settle(place, tl::unexpected(written.error()));
            }
            tell(written);
        });
    });
}

/// Some keychains take what they do not keep: what is not read back is not said to be kept.
void KeyDesk::readBack(const QString& name, const Secret& key, const std::function<void(const WriteResult&)>& done)
{
    keychain_.read(name, [this, name, key, done](const ReadResult& read) {
        const Place place{KeyHome::Keychain, name};
        if (!read && isKeychainFault(read.error())) {
            noteFault(read.error());
            settle(place, read);
            return done(tl::unexpected(read.error()));
        }
        if (!read || read->reveal() != trimmedKey(key.reveal())) {
            settle(place, tl::unexpected(notGivenBack()));
            return done(tl::unexpected(notGivenBack()));
        }
        const bool wasClosed = keychainFault_.has_value();
        noteFault(std::nullopt);
        settle(place, read);
        done({});
        if (wasClosed) // it is open now, for those entries too that it would not show
            readAgain();
    });
}

void KeyDesk::remove(KeyHome home, const QString& name, std::function<void(const WriteResult&)> done)
{
    const QString entry = name.trimmed();
    if (home == KeyHome::Session) {
        session_.remove(entry);
        settle({home, entry}, session_.readNow(entry));
        return done({});
    }
    if (home != KeyHome::Keychain)
        return done(cannotBeKept(home));
    if (entry.isEmpty())
        return done(tl::unexpected(withoutName()));
    enqueue([this, entry, done = std::move(done)](const std::function<void()>& next) {
        keychain_.remove(entry, [this, entry, done, next](const WriteResult& removed) {
            if (!removed) {
                if (isKeychainFault(removed.error()))
                    noteFault(removed.error());
                done(removed);
                return next();
            }
            entries_[{KeyHome::Keychain, entry}].asked = true;
            readLater(entry); // what it says then is what is true
            done(removed);
            next();
        });
    });
}

void KeyDesk::readAgain()
{
    bool changes = std::exchange(keychainFault_, std::nullopt).has_value();
    std::vector<std::pair<Place, ReadResult>> fresh;
    for (auto& [place, entry] : entries_) {
        if (place.first == KeyHome::Environment) {
            fresh.emplace_back(place, environment_.readNow(place.second));
        } else if (place.first == KeyHome::Keychain && entry.asked) {
            // A key that works is used until the keychain has said otherwise.
            const bool works = entry.read && *entry.read;
            changes = changes || (entry.read && !works);
            if (!works)
                entry.read.reset();
            readLater(place.second);
        }
    }
    for (const auto& [place, read] : fresh)
        settle(place, read);
    if (changes)
        Q_EMIT changed();
}

} // namespace sg::secrets
