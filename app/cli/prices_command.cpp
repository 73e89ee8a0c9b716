// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/session/prices.h"
#include "app/session/session.h"
#include "core/cost/litellm_prices.h"
#include "core/workspace/replace_file.h"

#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>

namespace sg::app {

namespace {

const QString kName = QStringLiteral("prices");
/// Marks the entries that the next table takes the place of.
const QString kSource = QStringLiteral("LiteLLM model_prices_and_context_window.json");

tl::expected<cost::PriceBook, QString> readBook(const QString& path)
{
    if (!QFileInfo::exists(path))
        return cost::PriceBook();
    const auto bytes = readFile(path);
    if (!bytes)
        return tl::unexpected(bytes.error());
    cost::PriceBook::Loaded loaded = cost::PriceBook::load(*bytes);
    if (loaded.book.entries().empty() && !loaded.findings.isEmpty())
        return tl::unexpected(
            QStringLiteral("%1: %2 Nothing was written there.").arg(path, loaded.findings.constFirst()));
    return std::move(loaded.book);
}

cost::PriceBook ofSource(const cost::PriceBook& book)
{
    cost::PriceBook part;
    for (const cost::PriceEntry& entry : book.entries())
        if (entry.source == kSource)
            part.add(entry);
    return part;
}

int refuse(const QString& words)
{
    printError(words);
    return kBadUsage;
}

} // namespace

int pricesCommand(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Takes LiteLLM's model_prices_and_context_window.json into a price "
                                                    "book. A table that lost half of its models is "
                                                    "refused. Exit code 0: written, 2: not written."));
    parser.addOptions({
        {QStringLiteral("book"),
         QStringLiteral("The price book; default: %1, which both programs read.").arg(ownPriceBook()),
         QStringLiteral("FILE")},
        {QStringLiteral("date"), QStringLiteral("When the table was true, as 2026-11-30; default: the file's date."),
         QStringLiteral("DATE")},
        {QStringLiteral("force"), QStringLiteral("Take it even though it lost half of its models.")},
    });
    parser.addPositionalArgument(QStringLiteral("TABLE"), QStringLiteral("The table."));
    if (const auto code = parseOne(parser, kName, arguments, QStringLiteral("one table")))
        return *code;
    const QString path = parser.positionalArguments().constFirst();
    const auto bytes = readFile(path);
    if (!bytes)
        return refuse(bytes.error());
    QDate date = QFileInfo(path).lastModified().date();
    if (parser.isSet(QStringLiteral("date")))
        date = QDate::fromString(parser.value(QStringLiteral("date")), Qt::ISODate);
    if (!date.isValid())
        return usageError(QStringLiteral("The date is no day of the calendar."), kName);
    const cost::PriceBook::Loaded table = cost::pricesOfLiteLlm(*bytes, kSource, date);
    for (const QString& finding : table.findings)
        printError(QStringLiteral("%1: %2").arg(path, finding));
    if (table.book.entries().empty())
        return refuse(QStringLiteral("%1: no price could be read. Nothing was written.").arg(path));

    const QString bookPath =
        parser.isSet(QStringLiteral("book")) ? parser.value(QStringLiteral("book")) : ownPriceBook();
    const auto before = readBook(bookPath);
    if (!before)
        return refuse(before.error());
    const QString refusal = cost::refusalOfTable(ofSource(*before), table.book);
    if (!refusal.isEmpty() && !parser.isSet(QStringLiteral("force")))
        return refuse(refusal + QStringLiteral(" Nothing was written. Look at it, and use --force if it is right."));
    QDir().mkpath(QFileInfo(bookPath).absolutePath());
    const auto written = workspace::replaceFile(bookPath, cost::withTable(*before, table.book, kSource).toJson());
    if (!written)
        return refuse(QStringLiteral("%1 was not written: %2.").arg(bookPath, written.error()));
    printOut(QStringLiteral("%1: %2 prices from %3").arg(bookPath).arg(table.book.entries().size()).arg(path));
    return kFine;
}

} // namespace sg::app
