import { Leader, type LeaseTimes, type LedWork } from "../../derive/upkeep/leader.ts";
import { newsMs } from "../../domain/notifications/due.ts";
import { dayMs } from "../../domain/time/time.ts";
import type { Observe } from "../../observe/observation.ts";
import { repeat } from "../../observe/repeat.ts";
import { storeNow } from "../../store/clock.ts";
import type { Database } from "../../store/database.ts";
import type { QueuedMail } from "../../store/notifications/mail-queue.ts";
import { Mail, type MailPace, type MailSettings } from "../mail/mail.ts";
import { MailBox } from "../mail/mail-box.ts";
import type { StreetName } from "../mail/place-namer.ts";
import type { AddressedLetter, LetterKind, MailerDeps } from "./letter-kind.ts";
import { Sender } from "./sender.ts";
import { UnsubscribeTokens } from "./unsubscribe-token.ts";

export interface MailerOptions {
  readonly database: Database;
  readonly mail: MailSettings;
  readonly publicUrl: string;
  readonly observe: Observe;
  readonly streetName?: StreetName;
  readonly now?: () => Promise<number>;
  readonly times?: Partial<MailerTimes>;
}

/** How long things take. Tests have less patience. */
export interface MailerTimes {
  readonly pauseMs: number;
  /** How often to count what waits. */
  readonly measureMs: number;
  /** Longer than to make a letter, hand it over and ask why that failed. */
  readonly claimMs: number;
  readonly lease: LeaseTimes | undefined;
  readonly mail: MailPace;
}

/** What was sent is remembered for twice as long as it could be news. */
const rememberedMs = 2 * newsMs;

/**
 * Mails people what is due. One node does it for all, by a lease for each kind of letter, so that a long report delays no alert.
 * What is due and what was sent is in the store, so another node goes on where this one ended. Returns what ends it.
 */
export function startMailer<Row extends QueuedMail, Made extends AddressedLetter>(
  work: LedWork,
  options: MailerOptions,
  usualTimes: MailerTimes,
  kindOf: (deps: MailerDeps) => LetterKind<Row, Made>,
): () => Promise<void> {
  const { database, observe, streetName = async () => null, now = () => storeNow(database) } = options;
  const { pauseMs, measureMs, claimMs, lease, mail: pace } = { ...usualTimes, ...options.times };
  const deps: MailerDeps = {
    database,
    mail: new Mail(options.mail, observe, pace, new MailBox(database)),
    publicUrl: options.publicUrl.replace(/\/+$/, ""),
    tokens: new UnsubscribeTokens(database),
    streetName,
    observe,
    now,
    claimMs,
  };
  const kind = kindOf(deps);
  const sender = new Sender(deps, kind);
  /** By the process's own counter. */
  let measuredAt = Number.NEGATIVE_INFINITY;
  let forgotAt = 0;
  const pass = async (stop: AbortSignal) => {
    await kind.pass((accountId) => sender.send(accountId, stop), stop);
    if (performance.now() - measuredAt >= measureMs) {
      observe(await kind.measure());
      measuredAt = performance.now();
    }
    const at = await now();
    if (Math.abs(at - forgotAt) < dayMs) return;
    forgotAt = at;
    await kind.forget(at - rememberedMs, at, stop);
  };
  const leader = new Leader(database, observe, lease, work);
  const end = repeat(work, pauseMs, observe, (stop) => leader.lead(stop, pass));
  return async () => {
    await end();
    await leader.close().catch((cause) => observe({ kind: "maintenance_failed", task: "leading", cause }));
  };
}
