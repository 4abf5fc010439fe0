import { dayMs } from "../../domain/time/time.ts";
import { claimMail, dueMails, type MailOutcome, type QueuedMail } from "../../store/notifications/mail-queue.ts";
import type { MailProblem } from "../mail/mail.ts";
import { askToConfirm, waitForConfirmation } from "./ask-to-confirm.ts";
import type { AddressedLetter, LetterKind, MailerDeps, Written } from "./letter-kind.ts";

const mailsPerPass = 20;

/** A mail server that takes nothing is tried again after this, then after twice as long, and so on. */
const firstRestMs = 5_000;
const maxRestMs = 5 * 60_000;

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
        const retryMs = Math.min(firstRestMs * 2 ** this.#failures++, maxRestMs);
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

/** Mails that the server refuses are tried again for about a day: some servers refuse the first try of a stranger. */
const maxAttempts = 8;
/** One that asks to try again later may do so over a weekend: that loses nothing. */
const maxDeferredMs = 5 * dayMs;
const firstRetryMs = 60_000;
const maxRetryMs = 6 * 3_600_000;

/** The server itself fails, for whatever mail. */
const serverProblems: readonly MailProblem[] = ["unreachable", "sign_in_refused", "busy"];

interface HandedOver extends MailOutcome {
  /** Why the server takes nothing at all; null: it does, whatever became of this mail. */
  readonly serverProblem: MailProblem | null;
}

/** Hands a mail to the server. The same mail has the same `Message-ID` each time. */
async function handOver(
  deps: MailerDeps,
  mail: QueuedMail,
  { person, letter, unsubscribeUrl: url }: AddressedLetter,
  now: number,
): Promise<HandedOver> {
  const problem = await deps.mail.send({ accountId: mail.account_id, name: person.name, email: person.email }, letter, {
    id: mail.id,
    headers: {
      "List-Unsubscribe": `<${url}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "Auto-Submitted": "auto-generated",
    },
  });
  const { attempts, next_try_at } = mail;
  if (problem === null) {
    return { state: "sent", problem, attempts: attempts + 1, next_try_at, done_at: now, serverProblem: null };
  }
  // Of a server that fails only the next try of all mails is put off (sender.ts). One that answers fails for this mail
  // alone, which must not keep the others waiting.
  if (serverProblems.includes(problem) && (await deps.mail.sendNothing()) !== null) {
    return { state: "waiting", problem, attempts, next_try_at, done_at: null, serverProblem: problem };
  }
  return { ...failedTry(mail, problem, now), serverProblem: null };
}

/** It is tried again later, or given up. */
function failedTry(mail: QueuedMail, problem: string, now: number): MailOutcome {
  const { next_try_at } = mail;
  const attempts = mail.attempts + 1;
  const isGivenUp = problem === "deferred" ? now - mail.created_at > maxDeferredMs : attempts >= maxAttempts;
  if (isGivenUp) return { state: "failed", problem, attempts, next_try_at, done_at: now };
  const waitMs = Math.min(firstRetryMs * 4 ** (attempts - 1), maxRetryMs);
  return { state: "waiting", problem, attempts, next_try_at: now + waitMs, done_at: null };
}
