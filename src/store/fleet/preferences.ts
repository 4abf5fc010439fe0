import { noPreferences, type Preferences } from "../../domain/preferences.ts";
import { bigint, oneOf, orNull, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { sql } from "../sql.ts";
import { listed, omit, table, upsert } from "../table.ts";

type Chosen<Name extends keyof Preferences> = NonNullable<Preferences[Name]>;

const preferenceTable = table("preferences", ["account_id", "whose"], {
  account_id: bigint,
  /** A person's id, or the account's for all its people. */
  whose: uuid,
  language: orNull(oneOf<Chosen<"language">>()),
  distance: orNull(oneOf<Chosen<"distance">>()),
  volume: orNull(oneOf<Chosen<"volume">>()),
  temperature: orNull(oneOf<Chosen<"temperature">>()),
  clock: orNull(oneOf<Chosen<"clock">>()),
  week_start: orNull(oneOf<Chosen<"week_start">>()),
});

const chosen = listed(omit(preferenceTable.columns, "account_id", "whose"));
const bulk = upsert(preferenceTable, []);

export async function preferencesOf(reader: Reader, accountId: number, whose: string): Promise<Preferences> {
  const row = await reader.get<Preferences>(sql`
    select ${chosen} from preferences where account_id = ${accountId} and whose = ${whose}`);
  return row ?? noPreferences;
}

export async function savePreferences(
  tx: Transaction,
  accountId: number,
  whose: string,
  preferences: Preferences,
): Promise<void> {
  await tx.insertMany(bulk, [{ account_id: accountId, whose, ...preferences }]);
}
