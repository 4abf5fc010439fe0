import type { HoldReason } from "../../domain/notifications/due.ts";
import { accountLimit, personLimit } from "../../domain/notifications/limits.ts";
import { alertSentence, typeWords } from "../both-sides/alerts/alert-words.ts";
import type { Alert } from "../both-sides/contract/data.ts";
import { momentPath } from "../both-sides/periods/paths.ts";
import {
  composed,
  escaped,
  footOf,
  type Letter,
  type LetterBlock,
  linkHtml,
  paragraphBlocks,
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

interface Entry {
  readonly title: string;
  readonly block: LetterBlock;
}

export function alertLetter(letter: AlertLetter, reader: MailReader): Letter {
  const { alerts, count, publicUrl } = letter;
  const { language, show } = reader;
  const accountName = shownName(letter.accountName);
  const words = alertLetterWords[language];
  const entries = alerts.map((one) => entryOf(one, letter, reader, words));
  const [only] = entries;
  const subject = count === 1 && only ? only.title : `${words.alerts(count, show.number(count))}: ${accountName}`;
  const left = count - entries.length;
  const links = [
    [words.allAlerts, `${publicUrl}/portal/alerts`],
    [words.change, `${publicUrl}/portal/notifications`],
    [words.stop, letter.unsubscribeUrl],
  ] as const;
  const blocks = [
    ...entries.map(({ block }) => block),
    ...paragraphBlocks(
      ...heldNotes(letter.held, words, reader),
      ...(left > 0 ? [words.more(left, show.number(left))] : []),
    ),
    footOf(words.chosen(accountName), links),
  ];
  return composed({ subject, language, head: { title: subject }, blocks });
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
  const facts: string[] = [`${words.vehicle}: ${vehicle}`];
  if (place !== null) facts.push(`${words.place}: ${place}`);
  if (began != null) facts.push(`${words.began}: ${shown(began)}${over == null ? `, ${words.lasts}` : ""}`);
  if (began != null && over != null && over > began) {
    facts.push(`${words.over}: ${shown(over)}, ${alerts.lasted(show.duration((over - began) / 1000))}`);
  }
  const moment = event === "ended" && over != null ? over : (began ?? 0);
  const url = `${letter.publicUrl}/portal${momentPath(alert.device_id, moment, letter.accountZone)}`;
  const title = event === "ended" ? words.ended(type) : type;
  const heading = `${title} (${alerts.severities[alert.severity]})`;
  const said = sentence === null ? [] : [unlinked(sentence)];
  const [about] = paragraphBlocks(...said);
  const rows = facts.map(escaped).join("<br>");
  return {
    title,
    block: {
      text: [heading, ...said, ...facts, url].join("\n"),
      html: `<h2>${escaped(heading)}</h2>${about?.html ?? ""}<p>${rows}</p><p>${linkHtml([words.showInPortal, url])}</p>`,
    },
  };
}

function heldNotes(held: ReadonlySet<HoldReason>, words: AlertLetterWords, { show }: MailReader): string[] {
  return [...held].map((reason) =>
    reason === "limit"
      ? words.held.limit(show.number(personLimit.mails), show.number(accountLimit.mails))
      : words.held[reason],
  );
}
