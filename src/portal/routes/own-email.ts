import { z } from "zod";
import { isSameEmail, normalEmail } from "../../domain/text/email.ts";
import type { PersonRow } from "../../store/fleet/users.ts";
import { isPreview } from "../fleet-edit.ts";
import { emailChangedLetter } from "../mail/letters.ts";
import { chosenLanguage } from "../mail/link-letter.ts";
import { readBody } from "../read-body.ts";
import { invalidFields, tooManyAttempts } from "../refusals.ts";
import { givenPassword } from "../request-fields.ts";
import type { SignedInCall } from "../route.ts";

/** Whether somebody is about to change their own e-mail. Whoever reads the mailbox can choose a new password. */
export function isOwnEmail({ session }: SignedInCall, person: PersonRow, email: unknown): boolean {
  return person.id === session.user.id && typeof email === "string" && !isSameEmail(normalEmail(email), person.email);
}

/** A session may be borrowed or stolen; only the password shows that it is the person. */
export async function requireOwnPassword(call: SignedInCall): Promise<void> {
  const { parts, session, request, now } = call;
  if (!session.user.hasPassword) {
    throw invalidFields({ email: "you have no password to confirm this with; choose one on the account page first" });
  }
  if (isPreview(call)) return;
  const { current_password: given } = readBody(call, z.object({ current_password: givenPassword }));
  const { outcome, ...rest } = await parts.signIn.checkPassword(session, given, request.signal, now);
  if (outcome === "throttled") throw tooManyAttempts("waitMs" in rest ? rest.waitMs : 0);
  if (outcome === "wrong") throw invalidFields({ current_password: "this is not your password" });
}

/** Tells the old address. Nobody waits for it. */
export function tellOldAddress(call: SignedInCall, { id, account_id, name, email }: PersonRow): void {
  const { parts, session, now } = call;
  const { mail, database } = parts;
  if (mail === null || !mail.notices.take(email, account_id, now)) return;
  const tell = async () => {
    const language = await chosenLanguage(database, { id, account_id }, session.account.id);
    await mail.send({ name, email }, emailChangedLetter({ name, accountName: session.account.name }, language ?? "en"));
  };
  tell().catch((cause) => parts.observe({ kind: "maintenance_failed", task: "mailing a notice", cause }));
}
