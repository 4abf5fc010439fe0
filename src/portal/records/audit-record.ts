import { isUuid } from "../../domain/text/identifiers.ts";
import { formatInstant } from "../../domain/time/time.ts";
import type { Reader } from "../../store/database.ts";
import { type AuditRow, isNamedType, type NamedType, namesOf, type RecordName } from "../../store/fleet/audit.ts";
import type { AuditEntry } from "../both-sides/contract/audit.ts";

/** Entries with the names that people and things have now: the log itself holds none. */
export async function auditRecords(
  reader: Reader,
  accountId: number,
  rows: readonly AuditRow[],
): Promise<AuditEntry[]> {
  const wanted = new Map<NamedType, Set<string>>();
  const want = (type: NamedType, id: string) => {
    const ids = wanted.get(type) ?? new Set();
    wanted.set(type, ids.add(id));
  };
  for (const row of rows) {
    if (row.actor_id !== null) want("user", row.actor_id);
    const type = typeOfName(row);
    if (type !== null && isUuid(row.id)) want(type, row.id);
  }
  const names = new Map<NamedType, ReadonlyMap<string, RecordName>>();
  for (const [type, ids] of wanted) names.set(type, await namesOf(reader, accountId, type, ids));
  return rows.map((row) => {
    const type = typeOfName(row);
    const actor = row.actor_id === null ? undefined : names.get("user")?.get(row.actor_id);
    const record = type === null ? undefined : names.get(type)?.get(row.id);
    return {
      entry_id: row.entry_id,
      at: formatInstant(row.at),
      actor: {
        kind: row.actor,
        id: row.actor_id,
        name: actor?.name ?? null,
        is_removed: actor?.isRemoved ?? false,
      },
      action: row.action,
      type: row.type,
      id: row.id,
      name: record?.name ?? null,
      is_removed: record?.isRemoved ?? false,
      details: row.details_json === null ? {} : JSON.parse(row.details_json),
    };
  });
}

/** Sessions, passwords, links and notifications are those of a person, settings those of a vehicle. */
function typeOfName({ type }: AuditRow): NamedType | null {
  if (["session", "password", "link", "email", "notification"].includes(type)) return "user";
  if (type === "alert_settings") return "device";
  return isNamedType(type) ? type : null;
}
