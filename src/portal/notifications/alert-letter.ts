import type { HoldReason } from "../../domain/notifications/due.ts";
import { accountLimit, personLimit } from "../../domain/notifications/limits.ts";
import { alertSentence, typeWords } from "../both-sides/alerts/alert-words.ts";
import type { Alert } from "../both-sides/contract/data.ts";
import { momentPath } from "../both-sides/periods/paths.ts";
import { shownName, unlinked } from "../mail/free-text.ts";
import { escaped, type Letter } from "../mail/letters.ts";
import { type LetterWords, letterWords } from "./letter-words.ts";
import type { MailReader } from "./reader.ts";

/** An alert as a mail names it. */
export interface MailedAlert {
  readonly alert: Alert;
  readonly event: "began" | "ended";
  /** The name, with the plate if there is one. */
  readonly vehicle: string;
  /** Null: nobody knows where it was. */
  readonly place: string | null;
}

export interface AlertLetter {
  readonly alerts: readonly MailedAlert[];
  /** How many there are in all: a mail lists some hundred. */
  readonly count: number;
  readonly held: ReadonlySet<HoldReason>;
  readonly accountName: string;
  /** The account's zone: the portal's days are its days. */
  readonly accountZone: string;
  readonly publicUrl: string;
  readonly unsubscribeUrl: string;
}

interface Entry {
  readonly title: string;
  readonly severity: string;
  readonly sentence: string | null;
  readonly facts: readonly (readonly [term: string, text: string])[];
  readonly url: string;
}

/** A mail about alerts, as plain text and as simple HTML: no pictures, and nothing that says whether it was read. */
export function alertLetter(letter: AlertLetter, reader: MailReader): Letter {
  const { alerts, count } = letter;
  const accountName = shownName(letter.accountName);
  const words = letterWords[reader.language];
  const entries = alerts.map((one) => entryOf(one, letter, reader, words));
  const [only] = entries;
  const subject =
    count === 1 && only ? only.title : `${words.alerts(count, reader.show.number(count))}: ${accountName}`;
  const more =
    count > entries.length ? words.more(count - entries.length, reader.show.number(count - entries.length)) : null;
  const notes = [...heldNotes(letter.held, words, reader), ...(more === null ? [] : [more])];
  const site = letter.publicUrl.replace(/\/+$/, "");
  const links = [
    [words.allAlerts, `${site}/portal/alerts`],
    [words.change, `${site}/portal/notifications`],
    [words.stop, letter.unsubscribeUrl],
  ] as const;
  const last = words.chosen(accountName);
  return {
    subject,
    text: textOf(entries, notes, last, links),
    html: htmlOf({ language: reader.language, subject, entries, notes, last, links }),
  };
}

function entryOf(one: MailedAlert, letter: AlertLetter, { show, texts }: MailReader, words: LetterWords): Entry {
  const { alert, event } = one;
  const { alerts } = texts;
  // Names of vehicles, fences and places are what people chose.
  const vehicle = shownName(one.vehicle);
  const place = one.place === null ? null : unlinked(one.place);
  const sentence = alertSentence(alert, alerts, show);
  const type = `${typeWords(alert.alert_type, alerts)}: ${vehicle}`;
  const [began, over] = [alert.occurred_at, alert.ended_at].map((at) => (at === null ? null : Date.parse(at)));
  const shown = (at: number) => `${show.time(at, "minute")} (${show.zone})`;
  const facts: [string, string][] = [[words.vehicle, vehicle]];
  if (place !== null) facts.push([words.place, place]);
  if (began != null) facts.push([words.began, over == null ? `${shown(began)}, ${words.lasts}` : shown(began)]);
  if (began != null && over != null && over > began)
    facts.push([words.over, `${shown(over)}, ${alerts.lasted(show.duration((over - began) / 1000))}`]);
  const moment = event === "ended" && over != null ? over : (began ?? 0);
  return {
    title: event === "ended" ? words.ended(type) : type,
    severity: alerts.severities[alert.severity],
    sentence: sentence === null ? null : unlinked(sentence),
    facts,
    url: `${letter.publicUrl.replace(/\/+$/, "")}/portal${momentPath(alert.device_id, moment, letter.accountZone)}`,
  };
}

function heldNotes(held: ReadonlySet<HoldReason>, words: LetterWords, { show }: MailReader): string[] {
  return [...held].map((reason) =>
    reason === "limit"
      ? words.held.limit(show.number(personLimit.mails), show.number(accountLimit.mails))
      : words.held[reason],
  );
}

type Links = readonly (readonly [text: string, url: string])[];

function textOf(entries: readonly Entry[], notes: readonly string[], last: string, links: Links): string {
  const parts = entries.map(({ title, severity, sentence, facts, url }) =>
    [`${title} (${severity})`, sentence, ...facts.map(([term, text]) => `${term}: ${text}`), url]
      .filter((line) => line !== null)
      .join("\n"),
  );
  const foot = [last, ...links.map(([text, url]) => `${text}: ${url}`)].join("\n");
  return `${[...parts, ...notes, foot, "Odograph"].join("\n\n")}\n`;
}

interface HtmlParts {
  readonly language: string;
  readonly subject: string;
  readonly entries: readonly Entry[];
  readonly notes: readonly string[];
  readonly last: string;
  readonly links: Links;
}

function htmlOf({ language, subject, entries, notes, last, links }: HtmlParts): string {
  const link = (text: string, url: string) => `<a href="${escaped(url)}">${escaped(text)}</a>`;
  const parts = entries.map(({ title, severity, sentence, facts, url }) => {
    const rows = facts.map(([term, text]) => `${escaped(term)}: ${escaped(text)}`).join("<br>");
    const said = sentence === null ? "" : `<p>${escaped(sentence)}</p>`;
    const { showInPortal } = letterWords[language as keyof typeof letterWords];
    return `<h2>${escaped(title)} (${escaped(severity)})</h2>${said}<p>${rows}</p><p>${link(showInPortal, url)}</p>`;
  });
  const foot = `<hr><p><small>${escaped(last)}<br>${links.map(([text, url]) => link(text, url)).join("<br>")}</small></p>`;
  const body = [...parts, ...notes.map((note) => `<p>${escaped(note)}</p>`), foot, "<p>Odograph</p>"].join("");
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head><body>${body}</body></html>`;
}
