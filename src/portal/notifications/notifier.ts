import { Background } from "../../derive/pace.ts";
import type { Observation } from "../../observe/observation.ts";
import type { Transaction } from "../../store/database.ts";
import { eachAccount } from "../../store/each-account.ts";
import { type FollowerRow, followerOf, followers } from "../../store/notifications/followers.ts";
import { forgetItems, waitingItems } from "../../store/notifications/items.ts";
import {
  type AlertMailRow,
  alertMails,
  countWaitingMails,
  forgetMails,
  type MailOutcome,
  noteMail,
} from "../../store/notifications/mail-queue.ts";
import { askToConfirm } from "../mail-queue/ask-to-confirm.ts";
import type { LetterKind, MailerDeps, SendWaiting, Written } from "../mail-queue/letter-kind.ts";
import { type MailerOptions, type MailerTimes, startMailer } from "../mail-queue/mailer.ts";
import { followAccount } from "./follow.ts";
import { type MadeAlertLetter, makeAlertLetter } from "./make-letter.ts";
import { writeAlertMails } from "./write-alert-mails.ts";

/** Nobody waits at the screen, so the server may take its time. */
const usualTimes: MailerTimes = {
  pauseMs: 2_000,
  measureMs: 15_000,
  claimMs: 180_000,
  lease: undefined,
  mail: { stepMs: 20_000, waitMs: 60_000 },
};

/** Mails people of the alerts that they chose. How far the log was read is in the store, too. */
export function startNotifier(options: MailerOptions): () => Promise<void> {
  return startMailer("notifications", options, usualTimes, (deps) => new AlertMails(deps));
}

class AlertMails implements LetterKind<AlertMailRow, MadeAlertLetter> {
  readonly queue = alertMails;
  readonly failedFact = "notification_failed";
  readonly delayedFact = "notifications_delayed";
  readonly #deps: MailerDeps;

  constructor(deps: MailerDeps) {
    this.#deps = deps;
  }

  /** Once through all accounts with people to notify. */
  async pass(send: SendWaiting, stop: AbortSignal): Promise<void> {
    const all = new Map((await followers(this.#deps.database)).map((follower) => [follower.account_id, follower]));
    const pace = new Background(stop);
    const notify = async (accountId: number) => {
      const follower = all.get(accountId);
      if (follower) await this.#notify(follower, send, stop, pace);
    };
    await eachAccount(this.#deps.database, pace, notify, { accounts: all.keys() });
  }

  async #notify(follower: FollowerRow, send: SendWaiting, stop: AbortSignal, pace: Background): Promise<void> {
    const { database, now } = this.#deps;
    const accountId = follower.account_id;
    let next: FollowerRow | null = follower;
    while (next !== null && !stop.aborted && (await followAccount(database, next, await now()))) {
      await pace.rest();
      next = await followerOf(database, accountId);
    }
    // While the server takes nothing, no more mails are written: what is due is gathered, and comes as one when it is back.
    if (!(await send(accountId))) return;
    const at = await now();
    const { hasMails, unconfirmed } = await writeAlertMails(database, accountId, at);
    for (const id of unconfirmed) await askToConfirm(this.#deps, { id, account_id: accountId }, at);
    if (hasMails) await send(accountId);
  }

  write(mail: AlertMailRow, now: number): Promise<Written<MadeAlertLetter>> {
    return makeAlertLetter(this.#deps, mail, now);
  }

  async note(tx: Transaction, mail: AlertMailRow, outcome: MailOutcome, written: Written<MadeAlertLetter>) {
    const isSent = written.kind === "letter" && outcome.state === "sent";
    await noteMail(tx, alertMails, mail, outcome, isSent ? written.alerts : mail.alerts);
    if (isSent || written.kind === "nothing") await written.noteSaid?.(tx);
  }

  sentFact({ alerts }: MadeAlertLetter): Observation {
    return { kind: "notification_sent", alerts };
  }

  async measure(): Promise<Observation> {
    const { database } = this.#deps;
    let [mails, alerts] = [0, 0];
    for (const { account_id } of await followers(database)) {
      mails += await countWaitingMails(database, alertMails, account_id);
      for (const waiting of await waitingItems(database, account_id)) alerts += waiting.alerts;
    }
    return { kind: "notifications_measured", mails, alerts };
  }

  async forget(before: number, _now: number, stop: AbortSignal): Promise<void> {
    const { database } = this.#deps;
    const accounts = (await followers(database)).map(({ account_id }) => account_id);
    const forgetOf = (accountId: number) =>
      database.transaction(async (tx) => {
        await forgetItems(tx, accountId, before);
        await forgetMails(tx, alertMails, accountId, before);
      });
    await eachAccount(database, new Background(stop), forgetOf, { accounts });
  }
}
