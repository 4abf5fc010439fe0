import { linkAddress } from "../../access/one-time-links.ts";
import type { LinkUser, PasswordLink } from "../../access/password-links.ts";
import type { LinkedUser } from "../../store/access/sign-ins.ts";
import type { Database } from "../../store/database.ts";
import type { Letter } from "./compose.ts";
import type { LetterLanguage } from "./letter-texts.ts";
import { letterOf } from "./letters.ts";
import type { MailRecipient } from "./mail-box.ts";
import { personLanguage } from "./person-language.ts";

interface LinkLetter {
  readonly user: LinkUser;
  readonly person: LinkedUser;
  readonly link: PasswordLink;
  readonly invitedBy: string | null;
  /** The language if nobody knows the person's. */
  readonly otherwise: LetterLanguage;
}

/** In the language of the person who reads it. */
export async function linkLetter(
  { database, publicUrl }: { readonly database: Database; readonly publicUrl: string },
  { user, person, link, invitedBy, otherwise }: LinkLetter,
): Promise<Letter> {
  const { purpose, token, expiresAt } = link;
  const content = {
    purpose,
    isConfirmed: person.is_confirmed === 1,
    name: person.name,
    accountName: person.account_name,
    invitedBy,
    address: linkAddress(publicUrl, token),
    expiresAt,
    timeZone: person.time_zone,
  };
  return letterOf(content, (await personLanguage(database, user.account_id, { ...person, id: user.id })) ?? otherwise);
}

/** Whom the letter names. */
export function addressee(
  accountId: number,
  { name, email, is_confirmed }: LinkedUser,
  { purpose }: Pick<PasswordLink, "purpose">,
): MailRecipient {
  return { accountId, name: purpose === "invitation" || is_confirmed === 1 ? name : "", email };
}
