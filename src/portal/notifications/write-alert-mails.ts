import { quietUntil } from "../../domain/notifications/due.ts";
import { longestLimitMs, nextAllowedTo } from "../../domain/notifications/limits.ts";
import type { Database } from "../../store/database.ts";
import { choiceOf, choicesOfAccount } from "../../store/notifications/choices.ts";
import { dueItems, holdItems, type ItemRow, putIntoMail } from "../../store/notifications/items.ts";
import { addMails, alertMails, mailTimes } from "../../store/notifications/mail-queue.ts";
import { notifiablePeople } from "../../store/notifications/people.ts";
import { dropUnconfirmed, unconfirmed } from "../../store/notifications/unconfirmed.ts";
import { lookAgainMs, maxUnconfirmedMs } from "../mail-queue/ask-to-confirm.ts";

/** Alerts that are looked at together. What is beyond has its turn in the next pass. */
const maxItems = 2_000;

interface Written {
  /** Whether there are new mails. */
  readonly hasMails: boolean;
  /** For whom something waits until they confirm their address. */
  readonly unconfirmed: ReadonlySet<string>;
}

/** Puts what is due into mails: one for each person and choice. What comes too often, in quiet hours or to an address that is not confirmed waits on. */
export async function writeAlertMails(database: Database, accountId: number, now: number): Promise<Written> {
  const due = await dueItems(database, accountId, now, maxItems);
  if (due.length === 0) return { hasMails: false, unconfirmed: new Set() };
  const waiting = new Set<string>();
  const people = new Map((await notifiablePeople(database, accountId, null)).map((person) => [person.id, person]));
  const choices = new Map((await choicesOfAccount(database, accountId, null)).map((row) => [row.id, row]));
  const times = await mailTimes(database, alertMails, accountId, now - longestLimitMs);
  const before = times.length;
  for (const [, items] of Map.groupBy(due, ({ user_id, choice_id }) => `${user_id} ${choice_id}`)) {
    const [first] = items;
    if (first === undefined) continue;
    const row = choices.get(first.choice_id);
    const person = people.get(first.user_id);
    const choice = row && person ? choiceOf(row, person.time_zone) : null;
    // Without them the mail turns out to be empty when it is to be sent.
    const quietEnd = choice && quietUntil(choice, now);
    const allowedAt = nextAllowedTo(first.user_id, times, now);
    if (person?.is_confirmed === 0) {
      waiting.add(person.id);
      await holdUnconfirmed(database, first, now);
    } else if (quietEnd !== null) await hold(database, first, { dueUntil: now, until: quietEnd, held: "quiet" });
    else if (allowedAt > now) await hold(database, first, { dueUntil: now, until: allowedAt, held: "limit" });
    else if (await writeMail(database, first, now)) times.push({ user_id: first.user_id, at: now });
  }
  return { hasMails: times.length > before, unconfirmed: waiting };
}

async function holdUnconfirmed(database: Database, item: ItemRow, now: number): Promise<void> {
  const { account_id, user_id } = item;
  await database.transaction((tx) => dropUnconfirmed(tx, account_id, user_id, now - maxUnconfirmedMs));
  await hold(database, item, { dueUntil: now, until: now + lookAgainMs, held: unconfirmed });
}

function hold(database: Database, item: ItemRow, how: Parameters<typeof holdItems>[2]): Promise<void> {
  return database.transaction((tx) => holdItems(tx, item, how));
}

/** Returns whether there was something left to write: another node may have been faster. */
function writeMail(database: Database, item: ItemRow, now: number): Promise<boolean> {
  const { account_id, user_id, choice_id } = item;
  const id = crypto.randomUUID();
  return database.transaction(async (tx) => {
    const alerts = await putIntoMail(tx, item, id, now);
    if (alerts === 0) return false;
    const whose = { account_id, id, user_id, choice_id };
    const fresh = { attempts: 0, problem: null, done_at: null, claimed_until: 0 };
    const mail = { ...whose, state: "waiting", alerts, created_at: now, next_try_at: now, ...fresh } as const;
    await addMails(tx, alertMails, [mail]);
    return true;
  });
}
