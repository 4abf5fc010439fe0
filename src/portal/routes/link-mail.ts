import { linkAddress } from "../../access/one-time-links.ts";
import { createMailedLink, type LinkUser, type PasswordLink } from "../../access/password-links.ts";
import { formatInstant } from "../../domain/time/time.ts";
import { linkedUser } from "../../store/access/sign-ins.ts";
import { originOf } from "../client.ts";
import { addressee, linkLetter } from "../mail/link-letter.ts";
import type { MailProblem } from "../mail/mail.ts";
import type { SignedInCall } from "../route.ts";
import { callerLanguage } from "./preferences.ts";

/** A link as the owner sees it, once, after one was mailed where there is mail. */
export async function handOver(call: SignedInCall, user: LinkUser, made: PasswordLink) {
  const { parts, request } = call;
  const problem = await mailLink(call, user, made);
  // A person who is signed in reaches the portal at the address of this request.
  const origin = parts.publicUrl ?? originOf(request);
  return {
    url: linkAddress(origin, made.token),
    purpose: made.purpose,
    expires_at: formatInstant(made.expiresAt),
    /** Null: there is no mail. */
    is_mailed: problem === undefined ? null : problem === null,
    mail_problem: problem ?? null,
  };
}

/** Null: it was handed over. Undefined: there is no mail. */
async function mailLink(
  call: SignedInCall,
  user: LinkUser,
  link: PasswordLink,
): Promise<MailProblem | null | undefined> {
  const { parts, session, now } = call;
  const { database, mail, publicUrl } = parts;
  const person = await linkedUser(database, user.id);
  // An address from a request is not to be trusted here: its sender need not be the one who gets the mail.
  if (mail === null || publicUrl === null || person === null) return undefined;
  if (!mail.links.take(person.email, user.account_id, now)) return "too_many";
  // Another link than the one that the owner sees: only a reader of the mailbox can have used it.
  const mailed = await database.transaction((tx) => createMailedLink(tx, user, link, person.email, now));
  const invitedBy = link.purpose === "invitation" ? session.user.name : null;
  const otherwise = await callerLanguage(call);
  const letter = await linkLetter({ database, publicUrl }, { user, person, link: mailed, invitedBy, otherwise });
  return mail.send(addressee(user.account_id, person, link), letter);
}
