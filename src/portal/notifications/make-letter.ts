import { alert as alertRecord } from "../../api/records/alert.ts";
import { type HoldReason, quietUntil } from "../../domain/notifications/due.ts";
import { visibilityOf } from "../../domain/visibility.ts";
import { alertsById, type NamedAlertRow } from "../../store/facts/alerts.ts";
import { choiceById, choiceOf } from "../../store/notifications/choices.ts";
import { forgetUnsaid, type ItemRow, itemsOfMail, noteEndsSaid } from "../../store/notifications/items.ts";
import type { AlertMailRow } from "../../store/notifications/mail-queue.ts";
import { notifiablePeople } from "../../store/notifications/people.ts";
import type { Alert } from "../both-sides/contract/data.ts";
import { placeNamer } from "../mail/place-namer.ts";
import { readerOf } from "../mail/reader.ts";
import type { AddressedLetter, MailerDeps, NoteSaid, Written } from "../mail-queue/letter-kind.ts";
import { unsubscribeUrl } from "../mail-queue/unsubscribe-token.ts";
import { alertLetter, type MailedAlert } from "./alert-letter.ts";

/** A mail lists so many alerts, and says how many more there are. */
const maxListed = 100;

export interface MadeAlertLetter extends AddressedLetter {
  readonly alerts: number;
  readonly noteSaid: NoteSaid;
}

/** What the mail says at this moment: to a person who may still sign in and reads the address, of what they see now. */
export async function makeAlertLetter(
  deps: MailerDeps,
  mail: AlertMailRow,
  now: number,
): Promise<Written<MadeAlertLetter>> {
  const { database, publicUrl } = deps;
  const { problem } = mail;
  const { account_id: accountId, user_id: userId, choice_id: choiceId } = mail;
  const [person] = await notifiablePeople(database, accountId, userId);
  const row = await choiceById(database, accountId, choiceId);
  if (person === undefined || row === null || row.user_id !== userId || row.stopped_at !== null) {
    return { kind: "nothing", problem };
  }
  if (person.is_confirmed === 0) return { kind: "unconfirmed" };
  const choice = choiceOf(row, person.time_zone);
  const quietEnd = quietUntil(choice, now);
  if (quietEnd !== null) return { kind: "later", at: quietEnd, problem };
  const items = await itemsOfMail(database, accountId, mail.id);
  const visibility = visibilityOf({ accountId, id: userId, role: person.role });
  const found = await alertsById(
    database,
    visibility,
    items.map(({ alert_id }) => alert_id),
  );
  const byId = new Map(found.map((alert) => [alert.id, alert]));
  const said = items.flatMap((item) => saidOf(item, byId.get(item.alert_id)));
  const listed = new Set(said.map(({ item }) => item));
  const unsaid = items.filter((item) => !listed.has(item) && !item.told_end);
  // Should they come back, they are news.
  const forgetRest: NoteSaid = (tx) => forgetUnsaid(tx, mail, unsaid);
  if (said.length === 0) return { kind: "nothing", problem, noteSaid: forgetRest };
  const reader = await readerOf(database, accountId, person, choice.timeZone);
  const namePlace = await placeNamer(database, visibility, deps.streetName, reader);
  const alerts: MailedAlert[] = [];
  for (const { item, row: alert } of said.slice(0, maxListed)) {
    const { latitude, longitude } = alertOf(alert);
    const place = latitude === null || longitude === null ? null : await namePlace({ latitude, longitude });
    const vehicle = alert.plate === null ? alert.device_name : `${alert.device_name} (${alert.plate})`;
    alerts.push({ alert: alertOf(alert), event: item.event, vehicle, place });
  }
  const stopUrl = await unsubscribeUrl(deps, { userId, choiceId });
  const held = new Set(items.flatMap((item): HoldReason[] => (item.held === null ? [] : [item.held])));
  const where = { publicUrl, unsubscribeUrl: stopUrl, accountName: person.account_name, accountZone: person.time_zone };
  const letter = alertLetter({ alerts, count: said.length, held, ...where }, reader);
  const ended = said.filter(({ row: { ended_at } }) => ended_at !== null).map(({ item }) => item.alert_id);
  const noteSaid: NoteSaid = async (tx) => {
    await noteEndsSaid(tx, accountId, userId, ended);
    await forgetRest(tx);
  };
  return { kind: "letter", person, letter, unsubscribeUrl: stopUrl, alerts: said.length, noteSaid };
}

/** Nothing of an alert that was withdrawn or is out of sight, nor the end of one that goes on, or whose end the first mail said. */
function saidOf(item: ItemRow, row: NamedAlertRow | undefined): { item: ItemRow; row: NamedAlertRow }[] {
  if (row === undefined || (item.event === "ended" && (row.ended_at === null || item.told_end))) return [];
  return [{ item, row }];
}

function alertOf(row: NamedAlertRow): Alert {
  return JSON.parse(alertRecord.json([row])) as Alert;
}
