import type { Database } from "../../store/database.ts";
import { preferencesOf } from "../../store/fleet/preferences.ts";
import type { NotifiablePerson } from "../../store/notifications/people.ts";
import { Show, unitsOf } from "../both-sides/reading/show.ts";
import * as de from "../both-sides/texts/de/index.ts";
import * as en from "../both-sides/texts/en/index.ts";
import * as es from "../both-sides/texts/es/index.ts";
import * as pt from "../both-sides/texts/pt/index.ts";
import type { Language, Texts } from "../both-sides/texts/texts.ts";

const textsOf: Readonly<Record<Language, Texts>> = { en, es, pt, de };

/** How a person reads a mail: as they read the portal. */
export interface MailReader {
  readonly language: Language;
  readonly texts: Texts;
  readonly show: Show;
}

/** In the person's language and units, else the account's; without either, in the language that their browser spoke last. */
export async function readerOf(
  database: Database,
  accountId: number,
  person: NotifiablePerson,
  timeZone: string,
): Promise<MailReader> {
  const [own, account] = await Promise.all([
    preferencesOf(database, accountId, person.id),
    preferencesOf(database, accountId, person.account_uuid),
  ]);
  const language = own.language ?? account.language ?? person.spoken_language ?? "en";
  const texts = textsOf[language];
  return { language, texts, show: new Show(language, texts, unitsOf(own, account), timeZone) };
}
