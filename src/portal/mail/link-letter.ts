import { linkAddress } from "../../access/one-time-links.ts";
import type { LinkUser, PasswordLink } from "../../access/password-links.ts";
import type { LinkedUser } from "../../store/access/sign-ins.ts";
import type { Database } from "../../store/database.ts";
import { preferencesOf } from "../../store/fleet/preferences.ts";
import type { Letter } from "./compose.ts";
import type { LetterLanguage } from "./letter-texts.ts";
import { letterOf } from "./letters.ts";
import type { MailRecipient } from "./mail-box.ts";

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
  return letterOf(content, (await chosenLanguage(database, user, person.account_uuid)) ?? otherwise);
}

/** Whom the letter names. */
export function addressee(
  accountId: number,
  { name, email, is_confirmed }: LinkedUser,
  { purpose }: Pick<PasswordLink, "purpose">,
): MailRecipient {
  return { accountId, name: purpose === "invitation" || is_confirmed === 1 ? name : "", email };
}

/** The person's own choice, or the account's. */
export async function chosenLanguage(
  database: Database,
  { id, account_id }: LinkUser,
  accountUuid: string,
): Promise<LetterLanguage | null> {
  const [own, ofAccount] = await Promise.all(
    [id, accountUuid].map((whose) => preferencesOf(database, account_id, whose)),
  );
  return own?.language ?? ofAccount?.language ?? null;
}
