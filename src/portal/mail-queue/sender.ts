import { claimMail, dueMails, type MailOutcome, type QueuedMail } from "../../store/notifications/mail-queue.ts";
import type { MailProblem } from "../mail/mail.ts";
import { askToConfirm, waitForConfirmation } from "./ask-to-confirm.ts";
import { failedTry, handOver } from "./hand-over.ts";
import type { AddressedLetter, LetterKind, MailerDeps, Written } from "./letter-kind.ts";

const mailsPerPass = 20;

/** A mail server that takes nothing is tried again after this, then after twice as long, and so on. */
const firstRetryMs = 5_000;
const maxRetryMs = 5 * 60_000;

/** Claims the mails of a kind that are due, has their letters written and hands them over. */
export class Sender<Row extends QueuedMail, Made extends AddressedLetter> {
  readonly #deps: MailerDeps;
  readonly #kind: LetterKind<Row, Made>;
  /** Until when the mail server is left alone, by the process's own counter. */
  #restUntil = 0;
  /** How often in a row it took nothing. */
  #failures = 0;

  constructor(deps: MailerDeps, kind: LetterKind<Row, Made>) {
    this.#deps = deps;
    this.#kind = kind;
  }

  /** Sends what is due, of an account or of all. Returns whether the mail server takes mails, as far as is known. */
  async send(accountId: number | null, stop: AbortSignal): Promise<boolean> {
    const { database, now, claimMs, observe } = this.#deps;
    if (performance.now() < this.#restUntil) return false;
    const { queue } = this.#kind;
    for (const mail of await dueMails(database, queue, accountId, await now(), mailsPerPass)) {
      if (stop.aborted) break;
      const begun = await now();
      if (!(await claimMail(database, queue, mail, begun, begun + claimMs))) continue;
      const problem = await this.#sendClaimed(mail, begun, stop);
      if (problem !== null) {
        const retryMs = Math.min(firstRetryMs * 2 ** this.#failures++, maxRetryMs);
        this.#restUntil = performance.now() + retryMs;
        observe({ kind: this.#kind.delayedFact, problem, retryMs });
        return false;
      }
      this.#failures = 0;
    }
    return true;
  }

  /** Returns why the server takes nothing; null: it does, whatever became of this mail. */
  async #sendClaimed(mail: Row, now: number, stop: AbortSignal): Promise<MailProblem | null> {
    const kind = this.#kind;
    const written = await kind.write(mail, now, stop);
    if (written.kind === "stopped") return null;
    const isLetter = written.kind === "letter";
    const { serverProblem, ...outcome } = isLetter
      ? await handOver(this.#deps, mail, written, now)
      : { ...unsentOutcome(mail, written, now), serverProblem: null };
    await this.#deps.database.transaction((tx) => kind.note(tx, mail, outcome, written));
    if (written.kind === "unconfirmed") {
      await askToConfirm(this.#deps, { id: mail.user_id, account_id: mail.account_id }, now);
    }
    const { state, problem, attempts } = outcome;
    if (isLetter && state === "sent") this.#deps.observe(kind.sentFact(written));
    if (isLetter && state === "failed") {
      this.#deps.observe({ kind: kind.failedFact, problem: problem ?? "", attempts });
    }
    return serverProblem;
  }
}

type Unsent = Exclude<Written<never>, { readonly kind: "stopped" }>;

function unsentOutcome(mail: QueuedMail, written: Unsent, now: number): MailOutcome {
  switch (written.kind) {
    case "nothing":
      return { ...mail, state: "empty", problem: written.problem, done_at: now };
    case "later":
      return { ...mail, problem: written.problem, next_try_at: written.at };
    case "unconfirmed":
      return waitForConfirmation(mail, now);
    case "failed":
      return failedTry(mail, written.problem, now);
  }
}
