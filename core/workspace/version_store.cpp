// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/version_store.h"
#include "core/workspace/replace_file.h"
#include "core/workspace/workspace_read.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>

namespace sg::workspace {

namespace {

constexpr std::size_t kKept = 50;
constexpr QFileDevice::Permissions kOwnerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner;
const QString kLastNumber = QStringLiteral("last-number");

QString hashOf(const QByteArray& bytes)
{
    return QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
}

/// One line of JSON about the text below it: damage is noticed, and the text stays byte for byte what it was.
struct Entry
{
    QJsonObject head;
    QByteArray json;
};

QByteArray toBytes(Entry entry)
{
    entry.head.insert(QStringLiteral("sha256"), hashOf(entry.json));
    return QJsonDocument(entry.head).toJson(QJsonDocument::Compact) + '\n' + entry.json;
}

tl::expected<Entry, QString> readEntry(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(QStringLiteral("%1 cannot be read: %2.").arg(path, file.errorString()));
    const QByteArray bytes = file.readAll();
    const qsizetype line = bytes.indexOf('\n');
    Entry entry{QJsonDocument::fromJson(bytes.left(line)).object(), bytes.mid(line + 1)};
    if (line < 0 || entry.head.value(QLatin1String("sha256")).toString() != hashOf(entry.json))
        return tl::unexpected(
            QStringLiteral("%1 is damaged and is left out. Remove it, or restore it from a copy.").arg(path));
    return entry;
}

/// Numbers of the versions there, the newest first.
std::vector<int> numbersIn(const QString& folder)
{
    static const QRegularExpression form(QStringLiteral("^v(\\d{1,9})\\.json$"));
    std::vector<int> numbers;
    const QStringList names = QDir(folder).entryList({QStringLiteral("v*.json")}, QDir::Files);
    for (const QString& name : names)
        if (const auto match = form.match(name); match.hasMatch())
            numbers.push_back(match.captured(1).toInt());
    std::sort(numbers.rbegin(), numbers.rend());
    return numbers;
}

QString pathOf(const QString& folder, int number)
{
    return QStringLiteral("%1/v%2.json").arg(folder).arg(number, 6, 10, QLatin1Char('0'));
}

/// A name of an environment may be no name of a file.
QString draftPath(const QString& folder, const QString& environment)
{
    return folder + QStringLiteral("/draft-") + hashOf(environment.toUtf8()).left(16);
}

int lastNumber(const QString& folder)
{
    QFile file(folder + QLatin1Char('/') + kLastNumber);
    const int told = file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt() : 0;
    const std::vector<int> numbers = numbersIn(folder);
    return std::max({told, numbers.empty() ? 0 : numbers.front(), 0});
}

VersionInfo infoOf(int number, const QJsonObject& head)
{
    return {number, QDateTime::fromString(head.value(QLatin1String("applied")).toString(), Qt::ISODateWithMs).toUTC(),
            head.value(QLatin1String("environment")).toString(), head.value(QLatin1String("note")).toString()};
}

tl::expected<void, QString> checkText(const QByteArray& json)
{
    const auto object = readJsonObject(json);
    Findings findings;
    if (!object)
        findings.push_back(object.error());
    else
        checkForKeys(*object, findings);
    if (findings.empty())
        return {};
    return tl::unexpected(findings.front().toText(QStringLiteral("Not kept")));
}

tl::expected<void, QString> write(const QString& folder, const QString& path, const QByteArray& bytes)
{
    const QDir dir;
    const bool isNew = !QFileInfo::exists(folder);
    if (!dir.mkpath(folder))
        return tl::unexpected(
            QStringLiteral("The folder %1 could not be made. Check who may write there.").arg(folder));
    if (isNew)
        QFile::setPermissions(folder, kOwnerOnly | QFileDevice::ExeOwner);
    const auto done = replaceFile(path, bytes, kOwnerOnly);
    if (done)
        return {};
    return tl::unexpected(
        QStringLiteral("%1 could not be written: %2. Free some space there, or check who may write there.")
            .arg(path, done.error()));
}

} // namespace

VersionStore::VersionStore(QString root, const QString& workspaceFile)
{
    const QFileInfo file(workspaceFile);
    const QString canonical = file.canonicalFilePath(); // a link to it has the same history
    const QString path = canonical.isEmpty() ? file.absoluteFilePath() : canonical;
    const QString name =
        file.completeBaseName().left(40).replace(QRegularExpression(QStringLiteral("[^\\w.-]")), QStringLiteral("_"));
    folder_ = std::move(root) + QLatin1Char('/') + name + QLatin1Char('-') + hashOf(path.toUtf8()).left(16);
}

std::vector<VersionInfo> VersionStore::versions() const
{
    std::vector<VersionInfo> all;
    for (const int number : numbersIn(folder_))
        if (const auto entry = readEntry(pathOf(folder_, number)))
            all.push_back(infoOf(number, entry->head));
    return all;
}

QStringList VersionStore::problems() const
{
    QStringList words;
    for (const int number : numbersIn(folder_))
        if (const auto entry = readEntry(pathOf(folder_, number)); !entry)
            words << entry.error();
    return words;
}

tl::expected<VersionInfo, QString> VersionStore::add(const QByteArray& json, const QString& environment,
                                                     const QString& note)
{
    if (const auto fine = checkText(json); !fine)
        return tl::unexpected(fine.error());
    const int number = lastNumber(folder_) + 1;
    const QJsonObject head{
        {QStringLiteral("applied"), QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs)},
        {QStringLiteral("environment"), environment},
        {QStringLiteral("note"), note},
    };
    // The number goes first: one that is given and not used is better than one that is given twice.
    auto written = write(folder_, folder_ + QLatin1Char('/') + kLastNumber, QByteArray::number(number) + '\n');
    if (written)
        written = write(folder_, pathOf(folder_, number), toBytes({head, json}));
    if (!written)
        return tl::unexpected(written.error());
    const std::vector<int> numbers = numbersIn(folder_);
    for (std::size_t i = kKept; i < numbers.size(); ++i)
        QFile::remove(pathOf(folder_, numbers[i]));
    return infoOf(number, head);
}

tl::expected<QByteArray, QString> VersionStore::read(int number) const
{
    const QString path = pathOf(folder_, number);
    if (!QFileInfo::exists(path))
        return tl::unexpected(
            QStringLiteral("Version %1 is not kept any more; the newest %2 are.").arg(number).arg(kKept));
    return readEntry(path).map([](const Entry& entry) { return entry.json; });
}

tl::expected<void, QString> VersionStore::saveDraft(const QByteArray& json, const QString& environment,
                                                    const QByteArray& fileBytes)
{
    if (const auto fine = checkText(json); !fine)
        return fine;
    return write(folder_, draftPath(folder_, environment),
                 toBytes({QJsonObject{{QStringLiteral("file_sha256"), hashOf(fileBytes)}}, json}));
}

std::optional<KeptDraft> VersionStore::draftOf(const QString& environment, const QByteArray& fileBytes) const
{
    const auto entry = readEntry(draftPath(folder_, environment));
    if (!entry)
        return std::nullopt;
    return KeptDraft{entry->json, entry->head.value(QLatin1String("file_sha256")).toString() != hashOf(fileBytes)};
}

void VersionStore::moveDraft(const QString& from, const QString& to)
{
    if (!QFileInfo::exists(draftPath(folder_, from)))
        return;
    dropDraft(to);
    QFile::rename(draftPath(folder_, from), draftPath(folder_, to));
}

void VersionStore::dropDraft(const QString& environment)
{
    QFile::remove(draftPath(folder_, environment));
}

} // namespace sg::workspace
