import { dayMs } from "../../domain/time/time.ts";
import type { MailOutcome, QueuedMail } from "../../store/notifications/mail-queue.ts";
import { unconfirmed } from "../../store/notifications/unconfirmed.ts";
import { mailConfirmation } from "../mail/confirmation-mail.ts";
import type { MailerDeps } from "./letter-kind.ts";

/** What is to be mailed to an address that is not confirmed waits for so long. Then it is no news any more. */
export const maxUnconfirmedMs = 2 * dayMs;

/** How often to look whether the address is confirmed. Confirming it does not wait for that. */
export const lookAgainMs = 15 * 60_000;

/** Something is to be mailed to a person who has not confirmed the address: they get the link to do so, once. */
export async function askToConfirm(
  { database, mail, publicUrl, observe }: MailerDeps,
  user: { readonly id: string; readonly account_id: number },
  now: number,
): Promise<void> {
  const wish = { user, wish: "unasked", otherwise: "en" } as const;
  await mailConfirmation({ database, mail, publicUrl }, wish, now).catch((cause) =>
    observe({ kind: "maintenance_failed", task: "mailing a link", cause }),
  );
}

/** A mail that waits until the address is confirmed. */
export function waitForConfirmation(mail: QueuedMail, now: number): MailOutcome {
  const { attempts, next_try_at, created_at } = mail;
  const isOver = now - created_at >= maxUnconfirmedMs;
  if (isOver) return { state: "empty", problem: unconfirmed, attempts, next_try_at, done_at: now };
  return { state: "waiting", problem: unconfirmed, attempts, next_try_at: now + lookAgainMs, done_at: null };
}
