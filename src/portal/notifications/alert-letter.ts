import type { Severity } from "../../domain/alert-types.ts";
import type { HoldReason } from "../../domain/notifications/due.ts";
import { accountLimit, personLimit } from "../../domain/notifications/limits.ts";
import { alertSentence, bySeverity, typeWords } from "../both-sides/alerts/alert-words.ts";
import type { Alert } from "../both-sides/contract/data.ts";
import { momentPath } from "../both-sides/periods/paths.ts";
import {
  buttonBlock,
  composed,
  entryHtml,
  escaped,
  factLinesHtml,
  factsBlock,
  footOf,
  type Letter,
  type LetterBlock,
  type LetterFact,
  type LetterLink,
  linkHtml,
  paragraphBlocks,
  partHtml,
  severityHtml,
} from "../mail/compose.ts";
import { shownName, unlinked } from "../mail/free-text.ts";
import type { MailReader } from "../mail/reader.ts";
import { type AlertLetterWords, alertLetterWords } from "./letter-words.ts";

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

/** An alert in words. */
interface Entry {
  readonly title: string;
  readonly severity: Severity;
  /** What happened, if the title does not say it all. */
  readonly said: string | null;
  readonly facts: readonly LetterFact[];
  /** Where it was. */
  readonly place: string | null;
  /** To the moment in the portal. */
  readonly link: LetterLink;
}

export function alertLetter(letter: AlertLetter, reader: MailReader): Letter {
  const { alerts, count, publicUrl } = letter;
  const { language, show, texts } = reader;
  const accountName = shownName(letter.accountName);
  const words = alertLetterWords[language];
  const entries = alerts.map((one) => entryOf(one, letter, reader, words));
  const [first] = entries;
  const only = count === 1 && first ? first : null;
  const counted = words.alerts(count, show.number(count));
  const left = count - entries.length;
  const all: LetterLink = [words.allAlerts, `${publicUrl}/portal/alerts`];
  const links: readonly LetterLink[] = [
    ...(only ? [all] : []),
    [words.change, `${publicUrl}/portal/notifications`],
    [words.stop, letter.unsubscribeUrl],
  ];
  const level = bySeverity.find((severity) => entries.some((entry) => entry.severity === severity)) ?? null;
  const severityWords = texts.alerts.severities;
  return composed({
    subject: only ? only.title : `${counted}: ${accountName}`,
    language,
    sender: accountName,
    title: only?.title ?? counted,
    severity: level && { level, word: only && severityWords[level] },
    preview: only ? [only.said, only.place].filter((text) => text !== null).join(" · ") : null,
    blocks: [
      ...paragraphBlocks(...heldNotes(letter.held, words, reader)),
      ...(only ? onlyBlocks(only) : entries.map((entry) => entryBlock(entry, severityWords))),
      ...paragraphBlocks(...(left > 0 ? [words.more(left, show.number(left))] : [])),
      buttonBlock(only ? only.link : all),
    ],
    foot: footOf(words.chosen(accountName), links),
  });
}

function onlyBlocks({ said, facts }: Entry): LetterBlock[] {
  return [...paragraphBlocks(...(said === null ? [] : [said])), factsBlock(facts)];
}

function entryBlock(
  { title, severity, said, facts, link }: Entry,
  severityWords: Readonly<Record<Severity, string>>,
): LetterBlock {
  const word = severityWords[severity];
  const about = said === null ? [] : [said];
  const html = [
    severityHtml(severity, word),
    partHtml(title),
    ...about.map((text) => `${escaped(text)}<br>`),
    factLinesHtml(facts),
    linkHtml(link),
  ];
  return {
    text: [`${title} (${word})`, ...about, factsBlock(facts).text, link.join(": ")].join("\n"),
    html: entryHtml(severity, html.join("")),
  };
}

function entryOf(one: MailedAlert, letter: AlertLetter, { show, texts }: MailReader, words: AlertLetterWords): Entry {
  const { alert, event } = one;
  const { alerts } = texts;
  // Names of vehicles, fences and places are what people chose.
  const vehicle = shownName(one.vehicle);
  const place = one.place === null ? null : unlinked(one.place);
  const sentence = alertSentence(alert, alerts, show);
  const type = `${typeWords(alert.alert_type, alerts)}: ${vehicle}`;
  const [began, over] = [alert.occurred_at, alert.ended_at].map((at) => (at === null ? null : Date.parse(at)));
  const shown = (at: number) => `${show.time(at, "minute")} (${show.zone})`;
  const facts: LetterFact[] = [[words.vehicle, vehicle]];
  if (place !== null) facts.push([words.place, place]);
  if (began != null) facts.push([words.began, `${shown(began)}${over == null ? `, ${words.lasts}` : ""}`]);
  if (began != null && over != null && over > began) {
    facts.push([words.over, `${shown(over)}, ${alerts.lasted(show.duration((over - began) / 1000))}`]);
  }
  const moment = event === "ended" && over != null ? over : (began ?? 0);
  const url = `${letter.publicUrl}/portal${momentPath(alert.device_id, moment, letter.accountZone)}`;
  return {
    title: event === "ended" ? words.ended(type) : type,
    severity: alert.severity,
    said: sentence === null ? null : unlinked(sentence),
    facts,
    place,
    link: [words.showInPortal, url],
  };
}

function heldNotes(held: ReadonlySet<HoldReason>, words: AlertLetterWords, { show }: MailReader): string[] {
  return [...held].map((reason) =>
    reason === "limit"
      ? words.held.limit(show.number(personLimit.mails), show.number(accountLimit.mails))
      : words.held[reason],
  );
}
