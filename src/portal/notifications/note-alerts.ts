import { type NotificationChoice, soonestChoice } from "../../domain/notifications/choice.ts";
import { dueAt } from "../../domain/notifications/due.ts";
import type { Database, Transaction } from "../../store/database.ts";
import type { AlertRow } from "../../store/facts/alerts.ts";
import { assignmentsOfDevices } from "../../store/fleet/assignments.ts";
import { choiceOf, choicesOfAccount } from "../../store/notifications/choices.ts";
import {
  addItems,
  type ItemEvent,
  type ItemRow,
  itemsOfAlerts,
  type KnownItem,
} from "../../store/notifications/items.ts";
import { type NotifiablePerson, notifiablePeople, taggedDevices } from "../../store/notifications/people.ts";

/** An alert that the log names. */
export interface ChangedAlert {
  readonly row: AlertRow;
  readonly device: number;
}

/** One person, and what they chose. */
interface Listener {
  readonly person: NotifiablePerson;
  readonly choices: readonly NotificationChoice[];
}

/** Notes who is to hear of these alerts and when, if `begin` says that nobody has done so. Returns whether it did. */
export async function noteAlerts(
  database: Database,
  accountId: number,
  changed: readonly ChangedAlert[],
  now: number,
  begin: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  const listeners = changed.length === 0 ? [] : await listenersOf(database, accountId);
  const devices = new Set(changed.map(({ device }) => device));
  const tags = new Map((await taggedDevices(database, accountId, devices)).map((one) => [one.device, tagsOf(one)]));
  const assigned = await assignmentsOfDevices(database, accountId, devices);
  const seenBy = new Set(assigned.map(({ user_id, device }) => `${user_id} ${device}`));
  return database.transaction(async (tx) => {
    if (!(await begin(tx))) return false;
    if (listeners.length === 0) return true;
    const known = new KnownItems(
      await itemsOfAlerts(
        tx,
        accountId,
        changed.map(({ row }) => row.id),
      ),
    );
    const items: ItemRow[] = [];
    for (const { row, device } of changed) {
      const alert = {
        alertType: row.alert_type,
        severity: row.severity,
        deviceId: row.device_id,
        tags: tags.get(device) ?? [],
        receivedAt: row.received_at,
      };
      for (const { person, choices } of listeners) {
        if (person.role !== "owner" && !seenBy.has(`${person.id} ${device}`)) continue;
        const choice = soonestChoice(choices, alert);
        const event = choice && eventOf(choice, known.of(person.id, row.id), row.ended_at !== null);
        if (choice === null || event === null) continue;
        const occurredAt = event === "began" ? row.occurred_at : (row.ended_at ?? row.occurred_at);
        const { at, held } = dueAt(choice, occurredAt, now);
        const item = { user_id: person.id, alert_id: row.id, event, choice_id: choice.id, device, mail_id: null };
        known.add({ ...item, alert_type: row.alert_type, told_end: false });
        items.push({
          ...item,
          account_id: accountId,
          alert_type: row.alert_type,
          due_at: at,
          held,
          told_end: false,
          created_at: now,
        });
      }
    }
    await addItems(tx, items);
    return true;
  });
}

/** What is new of an alert for a person; null: nothing, or what waits will say it. */
function eventOf({ tellsEnd }: NotificationChoice, known: readonly KnownItem[], hasEnded: boolean): ItemEvent | null {
  const began = known.find(({ event }) => event === "began");
  if (began === undefined) return "began";
  const isTold = began.mail_id === null || Boolean(began.told_end) || known.some(({ event }) => event === "ended");
  return tellsEnd && hasEnded && !isTold ? "ended" : null;
}

async function listenersOf(database: Database, accountId: number): Promise<Listener[]> {
  const people = new Map((await notifiablePeople(database, accountId, null)).map((person) => [person.id, person]));
  const rows = (await choicesOfAccount(database, accountId, null)).filter(({ stopped_at }) => stopped_at === null);
  return [...Map.groupBy(rows, ({ user_id }) => user_id)].flatMap(([userId, own]) => {
    const person = people.get(userId);
    return person ? [{ person, choices: own.map((row) => choiceOf(row, person.time_zone)) }] : [];
  });
}

function tagsOf({ tags_json }: { readonly tags_json: string }): readonly string[] {
  return JSON.parse(tags_json) as string[];
}

/** Who has heard of which alerts, or is to hear of them. */
class KnownItems {
  readonly #items: KnownItem[];

  constructor(items: readonly KnownItem[]) {
    this.#items = [...items];
  }

  of(userId: string, alertId: string): readonly KnownItem[] {
    return this.#items.filter((item) => item.user_id === userId && item.alert_id === alertId);
  }

  add(item: KnownItem): void {
    this.#items.push(item);
  }
}
