import { linkAddress } from "../access/one-time-links.ts";
import type { LinkUser, PasswordLink } from "../access/password-links.ts";
import { formatInstant } from "../domain/time.ts";
import { preferencesOf } from "../store/preferences.ts";
import { type LinkedUser, linkedUser } from "../store/sign-ins.ts";
import { hostOf, isSecure } from "./client.ts";
import type { LetterLanguage } from "./mail/letter-texts.ts";
import { type Letter, letterOf } from "./mail/letters.ts";
import type { MailProblem } from "./mail/mail.ts";
import type { PortalParts, SignedInCall } from "./route.ts";
import { bothPreferences } from "./routes/preferences.ts";

/** A link as the owner sees it, once, after it was mailed where there is mail. */
export async function handOver(call: SignedInCall, user: LinkUser, made: PasswordLink) {
  const { parts, request } = call;
  const problem = await mailLink(call, user, made);
  // Somebody who is signed in reaches the portal at the address of this request.
  const origin = parts.publicUrl ?? `${isSecure(request) ? "https" : "http"}://${hostOf(request)}`;
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
  const invitedBy = link.purpose === "invitation" ? session.user.name : null;
  const { own } = await bothPreferences(call);
  const letter = await linkLetter(
    { database, publicUrl },
    { user, person, link, invitedBy, otherwise: own.language ?? "en" },
  );
  return mail.send(person, letter);
}

interface LinkLetter {
  readonly user: LinkUser;
  readonly person: LinkedUser;
  readonly link: PasswordLink;
  readonly invitedBy: string | null;
  /** The language if nobody has chosen one. */
  readonly otherwise: LetterLanguage;
}

/** In the language of the person who reads it. */
export async function linkLetter(
  { database, publicUrl }: { readonly database: PortalParts["database"]; readonly publicUrl: string },
  { user, person, link, invitedBy, otherwise }: LinkLetter,
): Promise<Letter> {
  const { purpose, token, expiresAt } = link;
  const content = {
    purpose,
    name: person.name,
    accountName: person.account_name,
    invitedBy,
    address: linkAddress(publicUrl, token),
    expiresAt,
    timeZone: person.time_zone,
  };
  return letterOf(content, (await chosenLanguage(database, user, person.account_uuid)) ?? otherwise);
}

/** The person's own choice, or the account's. */
export async function chosenLanguage(
  database: PortalParts["database"],
  { id, account_id }: LinkUser,
  accountUuid: string,
): Promise<LetterLanguage | null> {
  const [own, ofAccount] = await Promise.all(
    [id, accountUuid].map((whose) => preferencesOf(database, account_id, whose)),
  );
  return own?.language ?? ofAccount?.language ?? null;
}
