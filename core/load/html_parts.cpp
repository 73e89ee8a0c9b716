// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/html_parts.h"

namespace sg::load::htmlparts {

namespace {

const QString kStyle = QStringLiteral(
    R"(:root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--soft:#5b6570;--line:#d8dde3;--panel:#f6f8fa;
--a:#1f6feb;--b:#0e7c7b;--c:#b35900;--good:#1a7f37;--bad:#c62828}
@media(prefers-color-scheme:dark){:root{--bg:#15181c;--fg:#e6e9ed;--soft:#9aa5b1;--line:#333a42;--panel:#1d2126;
--a:#6ea8fe;--b:#4fc3c1;--c:#ffb066;--good:#56d364;--bad:#ff7b72}}
body{background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif;max-width:960px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}p{margin:.3rem 0}
.verdict{border-left:6px solid var(--soft);background:var(--panel);padding:.8rem 1rem;margin:1rem 0}
.verdict.good{border-color:var(--good)}.verdict.bad{border-color:var(--bad)}.verdict b{font-size:1.2rem}
.soft,td.formula{color:var(--soft)}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.25rem .5rem;border-bottom:1px solid var(--line);vertical-align:top}
td.n,th.n{text-align:right;white-space:nowrap}td.formula{font-size:.85rem}.wide{overflow-x:auto}
svg{width:100%;height:auto;background:var(--panel)}svg text{fill:var(--soft);font:11px system-ui,sans-serif}
.end{text-anchor:end}.middle{text-anchor:middle}svg .name{fill:var(--fg)}.grid{stroke:var(--line);fill:none}
.line{fill:none;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}.a{stroke:var(--a)}
.b{stroke:var(--b);stroke-dasharray:6 3}.c{stroke:var(--c);stroke-dasharray:2 3}
.d{stroke:var(--good);stroke-dasharray:8 3 2 3}.e{stroke:var(--soft);stroke-dasharray:10 3}
.outer{fill:var(--a);opacity:.12}.inner{fill:var(--a);opacity:.22}.ok{fill:var(--a)}.ko{fill:var(--c)}.shade{fill:var(--soft);opacity:.15}
.dot{stroke-width:1.6;fill:var(--panel)}.dot.c{stroke-dasharray:none}.mark{stroke:var(--fg);stroke-dasharray:4 3;fill:none}
.bad{color:var(--bad)}.good{color:var(--good)}pre{margin:.2rem 0;white-space:pre-wrap}
)");

} // namespace

QString cell(const QString& text, const char* cssClass)
{
    return QStringLiteral("<td class=\"%1\">%2</td>").arg(QLatin1String(cssClass), text.toHtmlEscaped());
}

QString head(const QString& text, const char* cssClass)
{
    return QStringLiteral("<th scope=\"col\" class=\"%1\">%2</th>").arg(QLatin1String(cssClass), text.toHtmlEscaped());
}

QString table(const QString& heads, const QString& rows)
{
    return rows.isEmpty()
               ? QString()
               : QStringLiteral("<div class=\"wide\"><table><thead><tr>") + heads +
                     QStringLiteral("</tr></thead><tbody>") + rows + QStringLiteral("</tbody></table></div>\n");
}

QString section(const QString& title, const QString& body)
{
    return body.isEmpty() ? body
                          : QStringLiteral("<section><h2>") + title.toHtmlEscaped() + QStringLiteral("</h2>\n") + body +
                                QStringLiteral("</section>\n");
}

QString page(const QString& title, const QString& body)
{
    return QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
                          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                          "'unsafe-inline'\"/><meta name=\"viewport\" content=\"width=device-width\"/><title>") +
           title.toHtmlEscaped() + QStringLiteral("</title><style>\n") + kStyle +
           QStringLiteral("</style></head><body>\n<h1>") + title.toHtmlEscaped() + QStringLiteral("</h1>\n") + body +
           QStringLiteral("</body></html>\n");
}

} // namespace sg::load::htmlparts
