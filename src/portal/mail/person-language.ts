import type { Database } from "../../store/database.ts";
import { preferencesOf } from "../../store/fleet/preferences.ts";
import type { NotifiablePerson } from "../../store/notifications/people.ts";
import type { LetterLanguage } from "./letter-texts.ts";

/** As the portal does: what the person chose, else the account, else what their browser spoke last. Null: nobody knows. */
export async function personLanguage(
  database: Database,
  accountId: number,
  { id, account_uuid, spoken_language }: Pick<NotifiablePerson, "id" | "account_uuid" | "spoken_language">,
): Promise<LetterLanguage | null> {
  const [own, ofAccount] = await Promise.all(
    [id, account_uuid].map((whose) => preferencesOf(database, accountId, whose)),
  );
  return own?.language ?? ofAccount?.language ?? spoken_language;
}
