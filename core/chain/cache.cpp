// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/cache.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <bit>

namespace sg::chain {

namespace {

/// Hashes fields so that no two different lists of fields feed the same bytes: each carries its length or presence.
class FieldHash
{
public:
    void add(QByteArrayView bytes)
    {
        add(static_cast<std::uint64_t>(bytes.size()));
        hash_.addData(bytes);
    }
    void add(const std::string& s) { add(QByteArrayView(s.data(), static_cast<qsizetype>(s.size()))); }
    // UTF-16 as it is: UTF-8 would fold different lone surrogates into one replacement character.
    void add(const QString& s)
    {
        add(QByteArrayView(reinterpret_cast<const char*>(s.constData()), s.size() * qsizetype(sizeof(QChar))));
    }
    // Qt keeps the members of an object sorted, so equal objects are equal bytes.
    void add(const QJsonObject& object) { add(QByteArrayView(QJsonDocument(object).toJson(QJsonDocument::Compact))); }
    void add(const QJsonArray& array) { add(QByteArrayView(QJsonDocument(array).toJson(QJsonDocument::Compact))); }
    void add(std::uint64_t n) { hash_.addData(QByteArrayView(reinterpret_cast<const char*>(&n), sizeof n)); }
    // + 0.0 makes -0.0 the zero it equals.
    void add(const std::optional<double>& d)
    {
        addOptional(d.has_value(), d ? std::bit_cast<std::uint64_t>(*d + 0.0) : 0);
    }
    void add(const std::optional<int>& i) { addOptional(i.has_value(), i ? static_cast<std::uint64_t>(*i) : 0); }
    std::string hex() const { return hash_.result().toHex().toStdString(); }

private:
    void addOptional(bool set, std::uint64_t value)
    {
        add(std::uint64_t(set ? 1 : 0));
        add(value);
    }
    QCryptographicHash hash_{QCryptographicHash::Sha256};
};

std::size_t bytesOf(const QString& s)
{
    return static_cast<std::size_t>(s.size()) * sizeof(QChar);
}

std::size_t bytesOf(const std::string& key, const provider::Answer& answer)
{
    // The key is kept twice: in the map and in the order of use.
    std::size_t bytes = sizeof(provider::Answer) + 2 * key.size() + bytesOf(answer.text) + bytesOf(answer.reasoning) +
                        answer.finishReason.size() + answer.model.size();
    if (!answer.toolCalls.isEmpty())
        bytes += static_cast<std::size_t>(QJsonDocument(answer.toolCalls).toJson(QJsonDocument::Compact).size());
    return bytes;
}

} // namespace

std::string contentDigest(const provider::ChatRequest& request)
{
    // `stream` is left out: it changes how an answer travels, not the answer.
    FieldHash hash;
    hash.add(static_cast<std::uint64_t>(request.messages.size()));
    for (const provider::Message& message : request.messages) {
        hash.add(message.role);
        hash.add(message.text);
        hash.add(message.fields);
    }
    hash.add(request.tools);
    hash.add(request.extra);
    hash.add(request.sampling.temperature);
    hash.add(request.sampling.topP);
    hash.add(request.sampling.maxTokens);
    hash.add(std::uint64_t(request.sampling.jsonMode ? 1 : 0));
    return hash.hex();
}

std::string cacheKey(const std::string& chain, const provider::ChatRequest& request, const std::string& digest)
{
    FieldHash hash;
    hash.add(chain);
    hash.add(request.preferredTier);
    hash.add(digest.empty() ? contentDigest(request) : digest);
    return hash.hex();
}

ResponseCache::ResponseCache(const CacheSpec& spec)
    : spec_(spec)
{
}

ResponseCache::Found ResponseCache::lookup(const std::string& key, Instant now)
{
    if (auto slot = slots_.find(key); slot != slots_.end()) {
        if (now < slot->second.expires) {
            order_.splice(order_.begin(), order_, slot->second.used);
            ++figures_.hits;
            return {Role::Hit, slot->second.entry};
        }
        evict(slot);
    }
    if (auto [leader, isNew] = leaders_.try_emplace(key, 0); !isNew) {
        ++leader->second;
        ++figures_.shared;
        return {Role::Follower, nullptr};
    }
    ++figures_.misses;
    return {Role::Leader, nullptr};
}

void ResponseCache::leaderDone(const std::string& key, Entry answer, Instant now)
{
    leaders_.erase(key);
    if (!answer || spec_.maxEntries == 0 || spec_.ttl <= Nanos::zero())
        return;
    const std::size_t bytes = bytesOf(key, *answer);
    if (bytes > spec_.maxBytes)
        return;
    if (auto old = slots_.find(key); old != slots_.end())
        evict(old);
    makeRoom(1, bytes);
    order_.push_front(key);
    slots_.emplace(key, Slot{std::move(answer), later(now, spec_.ttl), bytes, order_.begin()});
    figures_.entries = slots_.size();
    figures_.bytes += bytes;
}

void ResponseCache::makeRoom(std::size_t entries, std::size_t bytes)
{
    while (!slots_.empty() && (slots_.size() + entries > spec_.maxEntries || figures_.bytes + bytes > spec_.maxBytes)) {
        evict(slots_.find(order_.back()));
        ++figures_.evicted;
    }
}

void ResponseCache::resize(const CacheSpec& spec)
{
    spec_ = spec;
    makeRoom(0, 0);
}

void ResponseCache::evict(std::unordered_map<std::string, Slot>::iterator slot)
{
    figures_.bytes -= slot->second.bytes;
    order_.erase(slot->second.used);
    slots_.erase(slot);
    figures_.entries = slots_.size();
}

} // namespace sg::chain
