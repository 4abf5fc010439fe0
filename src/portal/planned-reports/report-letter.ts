import type { ReportDays } from "../../domain/notifications/planned-report.ts";
import { shownFileName } from "../both-sides/reports/files/shown-table.ts";
import {
  type Attachment,
  buttonBlock,
  composed,
  escaped,
  factsBlock,
  footOf,
  type Letter,
  type LetterBlock,
  type LetterLink,
  paragraphBlocks,
  partHtml,
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
  const facts = factsBlock([
    [words.period, `${period} · ${texts.common.daysOfZone(letter.accountZone)}`],
    [words.about, unlinked(letter.about.join(", "))],
  ]);
  const parts = tables.map((table) => partOf(table, letter, reader));
  const links: readonly LetterLink[] = [
    [words.plans, letter.plansUrl],
    [words.stop, letter.unsubscribeUrl],
  ];
  return {
    ...composed({
      subject: `${words.subject(accountName)}: ${name}, ${period}`,
      language,
      sender: accountName,
      title: name === title ? name : `${name} (${title})`,
      isWide: true,
      blocks: [facts, ...parts, buttonBlock([words.open, letter.reportUrl])],
      foot: footOf(words.chosen(accountName), links),
    }),
    attachments: parts.flatMap(({ attachment }) => attachment ?? []),
  };
}

interface LetterPart extends LetterBlock {
  readonly attachment: Attachment | null;
}

function partOf(table: MadeTable, { title, days }: ReportLetter, { language, show, texts }: MailReader): LetterPart {
  const words = reportLetterWords[language];
  const { heads, totals, listed, rowCount } = table;
  const name = table.title === null ? "" : `${unlinked(table.title)}: `;
  if (rowCount === 0) {
    const nothing = `${name}${texts.reports.nothing}. ${table.empty}`;
    return { text: nothing, html: htmlOf(nothing), attachment: null };
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
    html: `${partHtml(counted)}${tableHtml(table, more)}${htmlOf(note)}`,
    attachment: { filename, content: csv.text, contentType: "text/csv; charset=utf-8" },
  };
}

function htmlOf(text: string): string {
  return paragraphBlocks(text)
    .map(({ html }) => html)
    .join("");
}

function tableHtml({ counted, heads, listed, totals }: MadeTable, more: string | null): string {
  const cells = (open: string, texts: readonly string[]) =>
    texts
      .map((text, index) => {
        const align = heads[index]?.isNumeric ? "right" : "left";
        return `<${open} align="${align}">${escaped(unlinked(text))}</${open.slice(0, 2)}>`;
      })
      .join("");
  const titles = heads.map(({ text }) => text);
  const head = `<thead><tr>${cells('th scope="col"', titles)}</tr></thead>`;
  const rows = listed.map((texts) => `<tr>${cells("td", texts)}</tr>`).join("");
  const rest = more === null ? "" : `<tr><td colspan="${heads.length}"><i>${escaped(more)}</i></td></tr>`;
  // Not in a <tfoot>, which would be printed on each page.
  const sums = totals === null ? "" : `<tr class="total">${cells("td", totals)}</tr>`;
  const table = `<table class="rows" border="0" cellpadding="4" cellspacing="0">${head}<tbody>${sums}${rows}${rest}</tbody></table>`;
  // Wider than a phone, it is moved by a finger or by keys.
  const label = escaped(unlinked(counted));
  return `<div class="wide" style="margin:0 0 12px" role="region" tabindex="0" aria-label="${label}">${table}</div>`;
}
