import type { Transaction } from "../store/database.ts";
import { fleetDevicesOfAccount } from "../store/device-writes.ts";
import { settingsNamingFence } from "../store/geofence-list.ts";
import type { Consequences } from "./consequences.ts";

/** Rules are shown without removed fences: whoever follows the settings that name one is told when it goes or comes back. */
export async function noteSettingsOfFence(
  tx: Transaction,
  accountId: number,
  fenceId: string,
  consequences: Consequences,
): Promise<void> {
  const named = new Set((await settingsNamingFence(tx, accountId, fenceId)).map(({ id }) => id));
  if (named.size === 0) return;
  const records = consequences.records(accountId);
  for (const { id, device, tags_json } of await fleetDevicesOfAccount(tx, accountId, null)) {
    const tags = JSON.parse(tags_json) as string[];
    const isConcerned = named.has(id) || named.has("all") || tags.some((tag) => named.has(`tag:${tag}`));
    if (isConcerned) records.settingsSaved({ id, device });
  }
}
