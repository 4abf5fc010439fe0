import type { ReportDays } from "../../domain/notifications/planned-report.ts";
import { shownFileName } from "../both-sides/reports/files/shown-table.ts";
import { shownName, unlinked } from "../mail/free-text.ts";
import { type Attachment, escaped, type Letter } from "../mail/letters.ts";
import type { MailReader } from "../notifications/reader.ts";
import { csvFile } from "./csv-file.ts";
import { reportLetterWords } from "./letter-words.ts";
import type { MadeTable } from "./make-table.ts";

export interface ReportLetter {
  /** What the plan is called. */
  readonly name: string;
  /** What the report is called. */
  readonly title: string;
  readonly days: ReportDays;
  /** Which vehicles and what else was chosen. */
  readonly about: readonly string[];
  readonly tables: readonly MadeTable[];
  readonly accountName: string;
  readonly accountZone: string;
  /** The report in the portal. */
  readonly reportUrl: string;
  readonly plansUrl: string;
  readonly unsubscribeUrl: string;
}

/** A mailed report: short as plain text, as a page that prints well, and whole as a file. Nothing in it is loaded from anywhere. */
export function reportLetter(letter: ReportLetter, reader: MailReader): Letter {
  const { title, days, tables } = letter;
  const name = shownName(letter.name);
  const accountName = shownName(letter.accountName);
  const { show, texts, language } = reader;
  const words = reportLetterWords[language];
  const [from, to] = [show.day(days.from), show.day(days.to)];
  const period = `${from === to ? from : `${from} – ${to}`} · ${texts.common.daysOfZone(letter.accountZone)}`;
  const heading = name === title ? name : `${name} (${title})`;
  const parts = tables.map((table) => partOf(table, letter, reader));
  const links: Links = [
    [words.open, letter.reportUrl],
    [words.plans, letter.plansUrl],
    [words.stop, letter.unsubscribeUrl],
  ];
  const facts = [
    [words.period, period],
    [words.about, unlinked(letter.about.join(", "))],
  ] as const;
  const last = words.chosen(accountName);
  return {
    subject: `${words.subject(accountName)}: ${name}, ${from === to ? from : `${from} – ${to}`}`,
    text: [
      `${heading}, ${accountName}`,
      facts.map(([term, text]) => `${term}: ${text}`).join("\n"),
      ...parts.map(({ text }) => text),
      [last, ...links.map(([text, url]) => `${text}: ${url}`)].join("\n"),
      "Odograph\n",
    ].join("\n\n"),
    html: htmlOf({ language, heading, accountName, facts, parts: parts.map(({ html }) => html), last, links }),
    attachments: parts.flatMap(({ attachment }) => attachment ?? []),
  };
}

type Links = readonly (readonly [text: string, url: string])[];

interface LetterPart {
  readonly text: string;
  readonly html: string;
  readonly attachment: Attachment | null;
}

function partOf(table: MadeTable, { title, days }: ReportLetter, { language, show, texts }: MailReader): LetterPart {
  const words = reportLetterWords[language];
  const { heads, totals, listed, rowCount } = table;
  const name = table.title === null ? "" : `${unlinked(table.title)}: `;
  if (rowCount === 0) {
    const nothing = `${name}${texts.reports.nothing}. ${table.empty}`;
    return { text: nothing, html: `<p>${escaped(nothing)}</p>`, attachment: null };
  }
  const csv = csvFile(table.file, language);
  const isCut = table.isCut || csv.rowCount < rowCount;
  const note = isCut ? words.cut(show.number(csv.rowCount)) : words.inFile;
  const more = rowCount > listed.length ? words.more(show.number(rowCount - listed.length)) : null;
  const sums = (totals ?? []).flatMap((text, index) =>
    index === 0 || text === "" ? [] : [[heads[index], text] as const],
  );
  const filename = shownFileName(
    [title, ...(table.title === null ? [] : [table.title]), ...new Set([days.from, days.to])],
    "csv",
  );
  const counted = `${name}${table.counted}`;
  return {
    text: [counted, ...sums.map(([head, text]) => `${head?.text}: ${text}`), note].join("\n"),
    html: `<h2>${escaped(counted)}</h2>${tableHtml(table, more)}<p>${escaped(note)}</p>`,
    attachment: { filename, content: csv.text, contentType: "text/csv; charset=utf-8" },
  };
}

function tableHtml({ heads, listed, totals }: MadeTable, more: string | null): string {
  const cells = (tag: "th" | "td", texts: readonly string[]) =>
    texts
      .map(
        (text, index) =>
          `<${tag}${heads[index]?.isNumeric ? ' align="right"' : ' align="left"'}>${escaped(unlinked(text))}</${tag}>`,
      )
      .join("");
  const head = `<thead><tr>${cells(
    "th",
    heads.map(({ text }) => text),
  )}</tr></thead>`;
  const rows = listed.map((texts) => `<tr>${cells("td", texts)}</tr>`).join("");
  const rest = more === null ? "" : `<tr><td colspan="${heads.length}"><i>${escaped(more)}</i></td></tr>`;
  // Not in a <tfoot>, which would be printed on each page.
  const sums = totals === null ? "" : `<tr class="total">${cells("th", totals)}</tr>`;
  return `<div class="wide"><table>${head}<tbody>${sums}${rows}${rest}</tbody></table></div>`;
}

interface HtmlParts {
  readonly language: string;
  readonly heading: string;
  readonly accountName: string;
  readonly facts: Links;
  readonly parts: readonly string[];
  readonly last: string;
  readonly links: Links;
}

/** On paper the heads are on each page, and no row is cut in two. A body's own colour scheme would leave its text black in the dark. */
const style = [
  ":root{color-scheme:light dark}body{font:14px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}",
  "h1{font-size:20px;margin:0 0 4px}h2{font-size:15px;margin:20px 0 6px}",
  "table{border-collapse:collapse;width:100%}th,td{padding:4px 8px;border-bottom:1px solid #8888;vertical-align:top}",
  "[align=right]{white-space:nowrap}td:first-child{min-width:10em}.wide{overflow-x:auto}",
  "thead{display:table-header-group}tr{break-inside:avoid}.total th{background:#8882}",
  "@media print{body{font-size:11px}.links{display:none}.wide{overflow:visible}}",
].join("");

function htmlOf({ language, heading, accountName, facts, parts, last, links }: HtmlParts): string {
  const link = ([text, url]: Links[number]) => `<a href="${escaped(url)}">${escaped(text)}</a>`;
  const about = facts.map(([term, text]) => `${escaped(term)}: ${escaped(text)}`).join("<br>");
  const [first, ...others] = links;
  const open = first === undefined ? "" : `<p class="links">${link(first)}</p>`;
  const foot = `<hr><p class="links"><small>${escaped(last)}<br>${others.map(link).join("<br>")}</small></p>`;
  const body = `<h1>${escaped(heading)}</h1><p>${escaped(accountName)}<br>${about}</p>${parts.join("")}${open}${foot}<p>Odograph</p>`;
  const head = `<meta charset="utf-8"><title>${escaped(heading)}</title><style>${style}</style>`;
  return `<!doctype html><html lang="${language}"><head>${head}</head><body>${body}</body></html>`;
}
