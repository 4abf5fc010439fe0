import { type ConfirmationWish, createConfirmation, undoConfirmation } from "../../access/email-confirmations.ts";
import { linkAddress } from "../../access/one-time-links.ts";
import { linkedUser } from "../../store/access/sign-ins.ts";
import type { Database } from "../../store/database.ts";
import type { LetterLanguage } from "./letter-texts.ts";
import { confirmationLetter } from "./letters.ts";
import type { Mail, MailProblem } from "./mail.ts";
import { personLanguage } from "./person-language.ts";

interface ConfirmationDeps {
  readonly database: Database;
  readonly mail: Mail;
  readonly publicUrl: string;
}

interface ConfirmationRequest {
  readonly user: { readonly id: string; readonly account_id: number };
  readonly wish: ConfirmationWish;
  /** The language if nobody knows the person's. */
  readonly otherwise: LetterLanguage;
}

/** Mails a person the link that confirms their address. Null: it was handed over, or there is nothing to confirm. */
export async function mailConfirmation(
  { database, mail, publicUrl }: ConfirmationDeps,
  { user, wish, otherwise }: ConfirmationRequest,
  now: number,
): Promise<MailProblem | null> {
  const made = await createConfirmation(database, user.id, wish, now);
  if (made.outcome === "too_many") return "too_many";
  const person = made.outcome === "made" ? await linkedUser(database, user.id) : null;
  if (made.outcome === "needless" || person === null) return null;
  const { token, email, expiresAt } = made;
  const language = (await personLanguage(database, user.account_id, { ...person, id: user.id })) ?? otherwise;
  const address = linkAddress(publicUrl, token);
  const letter = confirmationLetter({ address, expiresAt, timeZone: person.time_zone }, language);
  // Without the name: another person entered it.
  const problem = await mail.send({ accountId: user.account_id, name: "", email }, letter);
  if (problem !== null) await undoConfirmation(database, token);
  return problem;
}
