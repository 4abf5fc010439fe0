import { Background } from "../../derive/pace.ts";
import { Leader, type LeaseTimes } from "../../derive/upkeep/leader.ts";
import { dayMs } from "../../domain/time/time.ts";
import type { Observe } from "../../observe/observation.ts";
import { repeat } from "../../observe/repeat.ts";
import { storeNow } from "../../store/clock.ts";
import type { Database } from "../../store/database.ts";
import { eachAccount } from "../../store/each-account.ts";
import { type FollowerRow, followerOf, followers } from "../../store/notifications/followers.ts";
import { forgetItems, waitingItems } from "../../store/notifications/items.ts";
import { countWaitingMails, forgetMails } from "../../store/notifications/mails.ts";
import { Mail, type MailPace, type MailSettings } from "../mail/mail.ts";
import { askToConfirm } from "./ask-to-confirm.ts";
import { followAccount, newsMs } from "./follow.ts";
import type { StreetName } from "./place-namer.ts";
import { type SendingDeps, sendMails } from "./send-mails.ts";
import { ServerRest } from "./server-rest.ts";
import { UnsubscribeTokens } from "./unsubscribe-token.ts";
import { writeMails } from "./write-mails.ts";

export interface NotifierOptions {
  readonly database: Database;
  readonly mail: MailSettings;
  readonly publicUrl: string;
  readonly observe: Observe;
  readonly streetName?: StreetName;
  readonly now?: () => Promise<number>;
  readonly times?: Partial<NotifierTimes>;
}

/** How long things take. Tests have less patience. */
export interface NotifierTimes {
  readonly pauseMs: number;
  /** How often to count what waits. */
  readonly measureMs: number;
  readonly claimMs: number;
  readonly lease: LeaseTimes | undefined;
  readonly mail: MailPace;
}

/** Nobody waits at the screen, so the server may take its time. The claim is longer than to send a mail and ask why it failed. */
const usualTimes: NotifierTimes = {
  pauseMs: 2_000,
  measureMs: 15_000,
  claimMs: 180_000,
  lease: undefined,
  mail: { stepMs: 20_000, waitMs: 60_000 },
};

/** What was sent is remembered for twice as long as it could be news. */
const rememberedMs = 2 * newsMs;

/**
 * Mails people of the alerts that they chose. One node does it for all; how far the log was read and what was sent is in the
 * store, so another goes on where this one ended. Returns what ends it.
 */
export function startNotifier(options: NotifierOptions): () => Promise<void> {
  const { database, observe } = options;
  const times = { ...usualTimes, ...options.times };
  const leader = new Leader(database, observe, times.lease, "notifications");
  const notifier = new Notifier(options, times);
  const end = repeat("notifications", times.pauseMs, observe, (stop) =>
    leader.lead(stop, (whileLeading) => notifier.pass(whileLeading)),
  );
  return async () => {
    await end();
    await leader.close().catch((cause) => observe({ kind: "maintenance_failed", task: "leading", cause }));
  };
}

class Notifier {
  readonly #deps: SendingDeps;
  readonly #now: () => Promise<number>;
  readonly #serverRest = new ServerRest();
  #forgotAt = 0;
  readonly #measureMs: number;
  /** By the process's own counter. */
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(options: NotifierOptions, { claimMs, measureMs, mail: pace }: NotifierTimes) {
    this.#measureMs = measureMs;
    const { database, mail, publicUrl, observe, streetName = async () => null } = options;
    this.#now = options.now ?? (() => storeNow(database));
    const tokens = new UnsubscribeTokens(database);
    this.#deps = { database, mail: new Mail(mail, observe, pace), publicUrl, tokens, streetName, observe, claimMs };
  }

  /** Once through all accounts in which somebody is to be notified. */
  async pass(stop: AbortSignal): Promise<void> {
    const { database, observe } = this.#deps;
    const pace = new Background(stop);
    const all = new Map((await followers(database)).map((follower) => [follower.account_id, follower]));
    const isMeasured = performance.now() - this.#measuredAt >= this.#measureMs;
    let [mails, alerts] = [0, 0];
    await eachAccount(
      database,
      pace,
      async (accountId) => {
        const follower = all.get(accountId);
        if (follower) await this.#notify(follower, stop, pace);
        if (!isMeasured) return;
        mails += await countWaitingMails(database, accountId);
        for (const waiting of await waitingItems(database, accountId)) alerts += waiting.alerts;
      },
      { accounts: all.keys() },
    );
    if (isMeasured) {
      observe({ kind: "notifications_measured", mails, alerts });
      this.#measuredAt = performance.now();
    }
    await this.#forget(all.keys(), stop);
  }

  async #notify(follower: FollowerRow, stop: AbortSignal, pace: Background): Promise<void> {
    const { database } = this.#deps;
    const accountId = follower.account_id;
    let next: FollowerRow | null = follower;
    while (next !== null && !stop.aborted && (await followAccount(database, next, await this.#now()))) {
      await pace.rest();
      next = await followerOf(database, accountId);
    }
    // While the server takes nothing, no more mails are written: what is due is gathered, and comes as one when it is back.
    if (!(await this.#send(accountId, stop))) return;
    const now = await this.#now();
    const { hasMails, unconfirmed } = await writeMails(database, accountId, now);
    for (const id of unconfirmed) await askToConfirm(this.#deps, { id, account_id: accountId }, now);
    if (hasMails) await this.#send(accountId, stop);
  }

  /** Returns whether the mail server has taken what waited, as far as is known. */
  async #send(accountId: number, stop: AbortSignal): Promise<boolean> {
    if (!this.#serverRest.isOver) return false;
    const { isAnswering, problem } = await sendMails(this.#deps, accountId, this.#now, stop);
    if (isAnswering) this.#serverRest.end();
    if (problem === null) return true;
    const retryMs = this.#serverRest.begin();
    this.#deps.observe({ kind: "notifications_delayed", problem, retryMs });
    return false;
  }

  async #forget(accounts: Iterable<number>, stop: AbortSignal): Promise<void> {
    const { database } = this.#deps;
    const now = await this.#now();
    if (Math.abs(now - this.#forgotAt) < dayMs) return;
    this.#forgotAt = now;
    await eachAccount(
      database,
      new Background(stop),
      (accountId) =>
        database.transaction(async (tx) => {
          await forgetItems(tx, accountId, now - rememberedMs);
          await forgetMails(tx, accountId, now - rememberedMs);
        }),
      { accounts },
    );
  }
}
