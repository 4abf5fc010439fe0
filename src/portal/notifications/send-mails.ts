import { alert as alertRecord } from "../../api/records/alert.ts";
import { type HoldReason, quietUntil } from "../../domain/notifications/due.ts";
import { visibilityOf } from "../../domain/visibility.ts";
import type { Observe } from "../../observe/observation.ts";
import type { Database } from "../../store/database.ts";
import { alertsById, type NamedAlertRow } from "../../store/facts/alerts.ts";
import { choiceById, choiceOf } from "../../store/notifications/choices.ts";
import { forgetUntold, type ItemRow, itemsOfMail, noteEndsTold } from "../../store/notifications/items.ts";
import { claimMail, type MailRow, noteMail, waitingMails } from "../../store/notifications/mails.ts";
import { notifiablePeople } from "../../store/notifications/people.ts";
import type { Alert } from "../both-sides/contract/data.ts";
import type { MailProblem } from "../mail/mail.ts";
import { alertLetter, type MailedAlert } from "./alert-letter.ts";
import { askToConfirm, waitForConfirmation } from "./ask-to-confirm.ts";
import { type AddressedLetter, type HandOverDeps, handOver, unsubscribeUrl } from "./hand-over.ts";
import { placeNamer, type StreetName } from "./place-namer.ts";
import { readerOf } from "./reader.ts";

export interface SendingDeps extends HandOverDeps {
  readonly database: Database;
  readonly streetName: StreetName;
  readonly observe: Observe;
  /** How long one node has the right to send a mail. Longer than sending one ever takes. */
  readonly claimMs: number;
}

const mailsPerPass = 20;
/** A mail lists so many alerts, and says how many more there are. */
const maxListed = 100;
export interface Sending {
  /** Whether the mail server took one, or refused it. */
  readonly isAnswering: boolean;
  /** Why it takes nothing now; null: it does, or nothing waits. */
  readonly problem: MailProblem | null;
}

/** Sends what waits. */
export async function sendMails(
  deps: SendingDeps,
  accountId: number,
  now: () => Promise<number>,
  stop: AbortSignal,
): Promise<Sending> {
  const { database } = deps;
  let isAnswering = false;
  for (const mail of await waitingMails(database, accountId, await now(), mailsPerPass)) {
    if (stop.aborted) break;
    const begun = await now();
    if (!(await claimMail(database, mail, begun, begun + deps.claimMs))) continue;
    const problem = await sendMail(deps, mail, begun);
    if (problem !== null) return { isAnswering, problem };
    isAnswering = true;
  }
  return { isAnswering, problem: null };
}

/** Returns why the server takes nothing; null: it does, whatever became of this mail. */
async function sendMail(deps: SendingDeps, mail: MailRow, now: number): Promise<MailProblem | null> {
  const { database, observe } = deps;
  const { account_id, user_id } = mail;
  const note = (changed: Partial<Parameters<typeof noteMail>[2]>, { ended = [], untold = [] }: Partial<Said> = {}) =>
    database.transaction(async (tx) => {
      await noteMail(tx, mail, { ...mail, ...changed });
      await noteEndsTold(tx, account_id, user_id, ended);
      await forgetUntold(tx, mail, untold);
    });
  const written = await writtenNow(deps, mail, now);
  if (written.kind === "nothing") {
    await note({ state: "empty", done_at: now }, written);
    return null;
  }
  if (written.kind === "unconfirmed") {
    await note(waitForConfirmation(mail, now));
    await askToConfirm(deps, { id: user_id, account_id }, now);
    return null;
  }
  if (written.kind === "quiet") {
    await note({ next_try_at: written.until });
    return null;
  }
  const { alerts } = written;
  const { serverProblem, ...outcome } = await handOver(deps, mail, written, now);
  const { state, problem, attempts } = outcome;
  if (state === "sent") {
    await note({ ...outcome, alerts }, written);
    observe({ kind: "notification_sent", alerts });
  } else {
    await note(outcome);
    if (state === "failed") observe({ kind: "notification_failed", problem: problem ?? "", attempts });
  }
  return serverProblem;
}

/** What a mail says of its alerts, and what not. */
interface Said {
  /** Those of which it says that they have ended. */
  readonly ended: readonly string[];
  /** Those that it leaves out: should they come back, they are news. */
  readonly untold: readonly ItemRow[];
}

type Written =
  | { readonly kind: "nothing"; readonly untold?: readonly ItemRow[] }
  | { readonly kind: "unconfirmed" }
  | { readonly kind: "quiet"; readonly until: number }
  | (Said &
      AddressedLetter & {
        readonly kind: "letter";
        readonly alerts: number;
      });

/** What the mail says at this moment: to somebody who may still sign in and reads the address, of what they see now. */
async function writtenNow(deps: SendingDeps, mail: MailRow, now: number): Promise<Written> {
  const { database, publicUrl } = deps;
  const { account_id: accountId, user_id: userId, choice_id: choiceId } = mail;
  const [person] = await notifiablePeople(database, accountId, userId);
  const row = await choiceById(database, accountId, choiceId);
  if (person === undefined || row === null || row.user_id !== userId || row.stopped_at !== null) {
    return { kind: "nothing" };
  }
  if (person.is_confirmed === 0) return { kind: "unconfirmed" };
  const choice = choiceOf(row, person.time_zone);
  const quietEnd = quietUntil(choice, now);
  if (quietEnd !== null) return { kind: "quiet", until: quietEnd };
  const items = await itemsOfMail(database, accountId, mail.id);
  const visibility = visibilityOf({ accountId, id: userId, role: person.role });
  const found = await alertsById(
    database,
    visibility,
    items.map(({ alert_id }) => alert_id),
  );
  const byId = new Map(found.map((alert) => [alert.id, alert]));
  const told = items.flatMap((item) => toldOf(item, byId.get(item.alert_id)));
  const listed = new Set(told.map(({ item }) => item));
  const untold = items.filter((item) => !listed.has(item) && !item.told_end);
  if (told.length === 0) return { kind: "nothing", untold };
  const reader = await readerOf(database, accountId, person, choice.timeZone);
  const namePlace = await placeNamer(database, visibility, deps.streetName, reader);
  const alerts: MailedAlert[] = [];
  for (const { item, row: alert } of told.slice(0, maxListed)) {
    const { latitude, longitude } = recordOf(alert);
    const place = latitude === null || longitude === null ? null : await namePlace({ latitude, longitude });
    const vehicle = alert.plate === null ? alert.device_name : `${alert.device_name} (${alert.plate})`;
    alerts.push({ alert: recordOf(alert), event: item.event, vehicle, place });
  }
  const stopUrl = await unsubscribeUrl(deps, { userId, choiceId });
  const held = new Set(items.flatMap((item): HoldReason[] => (item.held === null ? [] : [item.held])));
  const where = { publicUrl, unsubscribeUrl: stopUrl, accountName: person.account_name, accountZone: person.time_zone };
  const letter = alertLetter({ alerts, count: told.length, held, ...where }, reader);
  const ended = told.filter(({ row: { ended_at } }) => ended_at !== null).map(({ item }) => item.alert_id);
  return { kind: "letter", person, letter, unsubscribeUrl: stopUrl, alerts: told.length, ended, untold };
}

/** Nothing of an alert that was withdrawn or is out of sight, nor the end of one that goes on, or whose end the first mail told. */
function toldOf(item: ItemRow, row: NamedAlertRow | undefined): { item: ItemRow; row: NamedAlertRow }[] {
  if (row === undefined || (item.event === "ended" && (row.ended_at === null || item.told_end))) return [];
  return [{ item, row }];
}

function recordOf(row: NamedAlertRow): Alert {
  return JSON.parse(alertRecord.json([row])) as Alert;
}
