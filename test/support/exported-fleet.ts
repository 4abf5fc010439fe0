import { exportFleet } from "../../src/fleet/export.ts";
import type { Database } from "../../src/store/database.ts";

/** The records of a text with one in each line. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into records of many shapes
export function recordsIn(text: string): any[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** What `odograph fleet export` writes, of one account or of all. */
export async function exportedText(database: Database, accountId: string | null = null): Promise<string> {
  let text = "";
  const write = async (part: string) => {
    text += part;
  };
  await exportFleet(database, accountId, write, () => {});
  return text;
}
