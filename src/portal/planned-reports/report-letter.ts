import type { ReportDays } from "../../domain/notifications/planned-report.ts";
import { shownFileName } from "../both-sides/reports/files/shown-table.ts";
import {
  type Attachment,
  composed,
  escaped,
  footOf,
  type Letter,
  type LetterBlock,
  type LetterLink,
  linkHtml,
} from "../mail/compose.ts";
import { shownName, unlinked } from "../mail/free-text.ts";
import type { MailReader } from "../mail/reader.ts";
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

/** A mailed report: short as plain text, as a page that prints well, and whole as a file. */
export function reportLetter(letter: ReportLetter, reader: MailReader): Letter {
  const { title, days, tables } = letter;
  const name = shownName(letter.name);
  const accountName = shownName(letter.accountName);
  const { show, texts, language } = reader;
  const words = reportLetterWords[language];
  const [from, to] = [show.day(days.from), show.day(days.to)];
  const period = from === to ? from : `${from} – ${to}`;
  const heading = name === title ? name : `${name} (${title})`;
  const facts = [
    `${words.period}: ${period} · ${texts.common.daysOfZone(letter.accountZone)}`,
    `${words.about}: ${unlinked(letter.about.join(", "))}`,
  ];
  const parts = tables.map((table) => partOf(table, letter, reader));
  const open: LetterLink = [words.open, letter.reportUrl];
  const below: readonly LetterLink[] = [
    [words.plans, letter.plansUrl],
    [words.stop, letter.unsubscribeUrl],
  ];
  const foot = footOf(words.chosen(accountName), [open, ...below], below, links);
  const first: LetterBlock = {
    text: `${heading}, ${accountName}\n\n${facts.join("\n")}`,
    html: `<h1>${escaped(heading)}</h1><p>${[accountName, ...facts].map(escaped).join("<br>")}</p>`,
  };
  const last: LetterBlock = { text: foot.text, html: `<p${links}>${linkHtml(open)}</p>${foot.html}` };
  return {
    ...composed({
      subject: `${words.subject(accountName)}: ${name}, ${period}`,
      language,
      head: { title: heading, style },
      blocks: [first, ...parts, last],
    }),
    attachments: parts.flatMap(({ attachment }) => attachment ?? []),
  };
}

/** They are not printed. */
const links = ' class="links"';

interface LetterPart extends LetterBlock {
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

/** On paper the heads are on each page, and no row is cut in two. A body's own colour scheme would leave its text black in the dark. */
const style = [
  ":root{color-scheme:light dark}body{font:14px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}",
  "h1{font-size:20px;margin:0 0 4px}h2{font-size:15px;margin:20px 0 6px}",
  "table{border-collapse:collapse;width:100%}th,td{padding:4px 8px;border-bottom:1px solid #8888;vertical-align:top}",
  "[align=right]{white-space:nowrap}td:first-child{min-width:10em}.wide{overflow-x:auto}",
  "thead{display:table-header-group}tr{break-inside:avoid}.total th{background:#8882}",
  "@media print{body{font-size:11px}.links{display:none}.wide{overflow:visible}}",
].join("");
