import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Observation } from "../../src/observe/observation.ts";
import type { MailSettings } from "../../src/portal/mail/mail.ts";
import type { MailerTimes } from "../../src/portal/mail-queue/mailer.ts";
import { startNotifier } from "../../src/portal/notifications/notifier.ts";
import type { Database } from "../../src/store/database.ts";
import { type NotificationChoiceRow, saveChoice } from "../../src/store/notifications/choices.ts";
import { beginFollowing } from "../../src/store/notifications/followers.ts";
import { sql } from "../../src/store/sql.ts";
import type { EngineUnderTest, FreshDatabase } from "./engines.ts";
import { uuid } from "./fleet.ts";
import { freshFleet, home, vanImei } from "./ingest-fleet.ts";
import { accountNumber, newWriter, take } from "./ingest-node.ts";
import { until } from "./patience.ts";
import { noReport } from "./random-drive.ts";

export const publicUrl = "https://fleet.example";
export const [olgaId, annId, bobId] = [uuid(11), uuid(12), uuid(13)] as const;
const everything = { alertTypes: null, severities: null, tags: null, deviceIds: null };

export interface Wish extends Partial<Omit<NotificationChoiceRow, "account_id" | "wanted_json">> {
  readonly wanted?: Partial<Record<keyof typeof everything, readonly string[] | null>>;
}

/** A node that notifies, by a clock that the test sets. */
export interface NotifyingNode {
  readonly seen: readonly Observation[];
  /** Waits until it has looked at everything that is there now. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export interface NotifiedFleet extends FreshDatabase {
  readonly clock: { now: number };
  /** A person chooses something. Returns its id. */
  choose(userId: string, wish?: Wish): Promise<string>;
  /** The van's tracker, or another one, reports an event, now or so long ago. */
  report(event?: string, how?: { readonly imei?: string; readonly agoMs?: number }): Promise<void>;
  store(frames: readonly IncomingFrame[]): Promise<void>;
  node(port: number, times?: Partial<MailerTimes>, on?: Database): NotifyingNode;
}

/** As if all had opened the link that was mailed to them. */
export function confirmEverybody(database: Database): Promise<void> {
  return database.transaction(async (tx) => void (await tx.writeAny(sql`update users set confirmed_email = email`)));
}

/** As if nobody had ever opened one. */
export function confirmNobody(database: Database): Promise<void> {
  return database.transaction(async (tx) => void (await tx.writeAny(sql`update users set confirmed_email = null`)));
}

/** Over a server on this machine. */
export function mailTo(port: number): MailSettings {
  const smtp = { url: "", host: "127.0.0.1", port, isTlsFromStart: false, mayBePlain: true, user: null };
  return { smtp, password: null, from: "Odograph <fleet@acme.example>" };
}

/** Close to now: what is known long after it was received is no news. */
const secondMs = 1_000;

export async function notifiedFleet(engine: EngineUnderTest): Promise<NotifiedFleet> {
  const store = await freshFleet(engine);
  const { database } = store;
  await confirmEverybody(database);
  const accountId = await accountNumber(database);
  const clock = { now: Math.floor(Date.now() / secondMs) * secondMs };
  const writer = newWriter(database);
  let sent = 0;
  const take1 = async (frames: readonly IncomingFrame[]) => void (await take(database, [frames], writer));
  return {
    ...store,
    clock,
    async choose(userId, { wanted, ...fields } = {}) {
      const id = crypto.randomUUID();
      const row: NotificationChoiceRow = {
        account_id: accountId,
        id,
        user_id: userId,
        wanted_json: JSON.stringify({ ...everything, ...wanted }),
        pacing: "at_once",
        tells_end: false,
        quiet_from: null,
        quiet_until: null,
        time_zone: null,
        since: clock.now - 60_000,
        stopped_at: null,
        created_by: userId,
        created_at: clock.now,
        updated_at: clock.now,
        ...fields,
      };
      await database.transaction(async (tx) => {
        await beginFollowing(tx, accountId);
        await saveChoice(tx, row);
      });
      return id;
    },
    report: (event = "sos", { imei = vanImei, agoMs = 0 } = {}) =>
      take1([
        {
          ...noReport,
          imei,
          event,
          recordedAt: clock.now - agoMs + sent++,
          receivedAt: clock.now,
          ...home,
          speed_kmh: 0,
        },
      ]),
    store: take1,
    node(port, times = {}, on = database) {
      const seen: Observation[] = [];
      const stop = startNotifier({
        database: on,
        mail: mailTo(port),
        publicUrl,
        observe: (fact) => seen.push(fact),
        now: async () => clock.now,
        times: { pauseMs: 10, measureMs: 0, lease: { renewMs: 100, validMs: 1_000 }, ...times },
      });
      const passes = () => seen.filter(({ kind }) => kind === "notifications_measured").length;
      return {
        seen,
        async settled() {
          // The pass under way may have begun before.
          const before = passes();
          await until(() => passes() >= before + 2);
        },
        stop,
      };
    },
  };
}
