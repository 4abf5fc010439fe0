import { linkAddress } from "../access/one-time-links.ts";
import { createRequestedLink, type LinkUser, type PasswordLink } from "../access/password-links.ts";
import { formatInstant } from "../domain/time.ts";
import { preferencesOf } from "../store/preferences.ts";
import { linkedUser, signInByEmail } from "../store/sign-ins.ts";
import { hostOf, isSecure } from "./client.ts";
import type { LetterLanguage } from "./mail/letter-texts.ts";
import { letterOf } from "./mail/letters.ts";
import type { MailProblem } from "./mail/mail.ts";
import type { PortalParts, SignedInCall } from "./route.ts";
import { bothPreferences } from "./routes/preferences.ts";

type MailParts = Pick<PortalParts, "database" | "mail" | "publicUrl">;

/** A link as the owner sees it, once, after it was mailed where there is mail. */
export async function handOver(call: SignedInCall, user: LinkUser, made: PasswordLink) {
  const { parts, request, session } = call;
  const { own } = await bothPreferences(call);
  const invitedBy = made.purpose === "invitation" ? session.user.name : null;
  const problem = await mailLink(parts, user, made, { invitedBy, language: own.language });
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
  parts: MailParts,
  user: LinkUser,
  link: PasswordLink,
  { invitedBy, language }: { readonly invitedBy: string | null; readonly language: LetterLanguage | null },
): Promise<MailProblem | null | undefined> {
  const { database, mail, publicUrl } = parts;
  const person = await linkedUser(database, user.id);
  // An address from a request is not to be trusted here: its sender need not be the one who gets the mail.
  if (mail === null || publicUrl === null || person === null) return undefined;
  const { purpose, token, expiresAt } = link;
  const letter = letterOf(
    {
      purpose,
      name: person.name,
      accountName: person.account_name,
      invitedBy,
      address: linkAddress(publicUrl, token),
      expiresAt,
      timeZone: person.time_zone,
    },
    (await chosenLanguage(parts, user, person.account_uuid)) ?? language ?? "en",
  );
  return mail.send(person, letter);
}

/** Mails a link to whoever has this e-mail, if anybody has. Nobody waits for it, so that nobody learns whether. */
export async function mailRequestedLink(
  parts: MailParts,
  email: string,
  language: LetterLanguage | null,
  now: number,
): Promise<void> {
  const user = await signInByEmail(parts.database, email);
  if (user === null || user.user_status !== "active" || user.account_status !== "active") return;
  const link = await parts.database.transaction((tx) => createRequestedLink(tx, user, now));
  await mailLink(parts, user, link, { invitedBy: null, language });
}

/** The person's own choice, or the account's. */
async function chosenLanguage(
  { database }: MailParts,
  { id, account_id }: LinkUser,
  accountUuid: string,
): Promise<LetterLanguage | null> {
  const [own, ofAccount] = await Promise.all(
    [id, accountUuid].map((whose) => preferencesOf(database, account_id, whose)),
  );
  return own?.language ?? ofAccount?.language ?? null;
}
