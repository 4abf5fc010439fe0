import { dayMs } from "../../domain/time/time.ts";
import type { MailOutcome, QueuedMail } from "../../store/notifications/mail-queue.ts";
import type { MailProblem } from "../mail/mail.ts";
import type { AddressedLetter, MailerDeps } from "./letter-kind.ts";

/** Mails that the server refuses are tried again for about a day: some servers refuse the first try of a stranger. */
const maxAttempts = 8;
/** One that asks to try again later may do so over a weekend: that loses nothing. */
const maxDeferredMs = 5 * dayMs;
const firstRetryMs = 60_000;
const maxRetryMs = 6 * 3_600_000;

/** The server itself fails, for whatever mail. */
const serverProblems: readonly MailProblem[] = ["unreachable", "sign_in_refused", "busy"];

export interface HandedOver extends MailOutcome {
  /** Why the server takes nothing at all; null: it does, whatever became of this mail. */
  readonly serverProblem: MailProblem | null;
}

/** Hands a mail to the server. The same mail has the same `Message-ID` each time. */
export async function handOver(
  deps: MailerDeps,
  mail: QueuedMail,
  { person, letter, unsubscribeUrl: url }: AddressedLetter,
  now: number,
): Promise<HandedOver> {
  const problem = await deps.mail.send(person, letter, {
    messageId: `<${mail.id}@${new URL(deps.publicUrl).hostname}>`,
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
export function failedTry(mail: QueuedMail, problem: string, now: number): MailOutcome {
  const { next_try_at } = mail;
  const attempts = mail.attempts + 1;
  const isGivenUp = problem === "deferred" ? now - mail.created_at > maxDeferredMs : attempts >= maxAttempts;
  if (isGivenUp) return { state: "failed", problem, attempts, next_try_at, done_at: now };
  const waitMs = Math.min(firstRetryMs * 4 ** (attempts - 1), maxRetryMs);
  return { state: "waiting", problem, attempts, next_try_at: now + waitMs, done_at: null };
}
