import { byKey, type ChangeType, followed, keyOf, type ListRows, type Row } from "./lists.ts";

export interface Change {
  readonly type: ChangeType;
  readonly change: "put" | "removed";
  readonly id: string;
  readonly device_id: string | null;
  readonly changed_at: string;
  readonly record: Row | null;
}

/** What another system has stored of a fleet: the lists as they were once, and every change since. */
export class Copy {
  readonly #rows = new Map<ChangeType, Map<string, Row>>();
  /** Lists show no ids of positions and readings: which row a change was about. */
  readonly #keys = new Map<string, string>();

  has(type: ChangeType, key: string): boolean {
    return this.#rows.get(type)?.has(key) ?? false;
  }

  rows(type: ChangeType): readonly Row[] {
    return [...(this.#rows.get(type)?.values() ?? [])];
  }

  put(type: ChangeType, record: Row, id: string | null = null): void {
    const row = followed(type, record);
    const key = keyOf(type, row);
    if (id !== null) {
      const before = this.#keys.get(`${type} ${id}`);
      if (before !== undefined && before !== key) this.#of(type).delete(before);
      this.#keys.set(`${type} ${id}`, key);
    }
    this.#of(type).set(key, row);
  }

  putAll(lists: ListRows): void {
    for (const [type, rows] of lists) for (const row of rows) this.put(type, row);
  }

  /** False: it is not known which row that is. */
  remove(type: ChangeType, id: string): boolean {
    const key = hasNoId(type) ? this.#keys.get(`${type} ${id}`) : id;
    if (key === undefined) return false;
    this.#of(type).delete(key);
    return true;
  }

  /** Everything of a device, or of one type of its records. */
  forget(deviceId: string, type: ChangeType | null = null): void {
    for (const [own, rows] of this.#rows) {
      if (type !== null && own !== type) continue;
      for (const [key, row] of rows) if (row.device_id === deviceId) rows.delete(key);
    }
  }

  /** Where it is not what the lists show, a line for each row. */
  differences(lists: ListRows): string[] {
    const lines: string[] = [];
    for (const [type, listed] of lists) {
      const wanted = byKey(type, listed);
      const own = this.#of(type);
      for (const [key, row] of wanted) {
        const found = own.get(key);
        // A tag that was in sight before this follower began, and not when it did, may come back unsaid (docs/following.md).
        if (found === undefined && type === "driver" && row.id === null) continue;
        if (found === undefined) lines.push(`${type} ${key} is missing: ${JSON.stringify(row)}`);
        else if (JSON.stringify(found) !== JSON.stringify(row)) lines.push(`${type} ${key}: ${fieldsOf(found, row)}`);
      }
      // No change says that a tag is seen nowhere any more. followed-drivers.test.ts holds what does come.
      if (type === "driver") continue;
      for (const [key, row] of own)
        if (!wanted.has(key)) lines.push(`${type} ${key} is no more: ${JSON.stringify(row)}`);
    }
    return lines;
  }

  #of(type: ChangeType): Map<string, Row> {
    const rows = this.#rows.get(type) ?? new Map<string, Row>();
    this.#rows.set(type, rows);
    return rows;
  }
}

export function hasNoId(type: ChangeType): boolean {
  return type === "position" || type === "reading";
}

function fieldsOf(found: Row, wanted: Row): string {
  const names = [...new Set([...Object.keys(found), ...Object.keys(wanted)])];
  const different = names.filter((name) => JSON.stringify(found[name]) !== JSON.stringify(wanted[name]));
  if (different.length === 0) return "the fields are in another order";
  return different
    .map((name) => `${name} is ${JSON.stringify(found[name])}, not ${JSON.stringify(wanted[name])}`)
    .join("; ");
}
