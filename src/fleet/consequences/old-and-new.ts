/**
 * Fields whose values the audit log holds. The others say who or what it is, such as names, plates and addresses: what was
 * erased must not live on in the log.
 */
const loggedFields: ReadonlySet<string> = new Set([
  ...["status", "tags", "vehicle_make", "vehicle_model", "vehicle_year", "vehicle_type", "fuel_tank_capacity_l"],
  ...["tracker_model", "tracker_clock", "tracker_protocol"],
  ...["role", "time_zone", "color", "geometry", "device_ids", "rules"],
]);

/** The columns that hold a list as JSON. */
const listColumns: Readonly<Record<string, string>> = { tags: "tags_json" };

interface Rows {
  readonly before: object;
  readonly after: object;
}

/** What the fields were and are, each in the place of its field; empty where the log does not hold it, or it is not set. */
export function oldAndNew(
  fields: readonly string[],
  { before, after }: Rows,
): { readonly from: readonly string[]; readonly to: readonly string[] } | null {
  const [from, to] = [before, after].map((row) => fields.map((field) => textOf(row, field))) as [string[], string[]];
  return [...from, ...to].some((text) => text !== "") ? { from, to } : null;
}

function textOf(row: object, field: string): string {
  if (!loggedFields.has(field)) return "";
  const column = listColumns[field];
  const values: Readonly<Record<string, unknown>> = { ...row };
  if (column === undefined) return shortened(String(values[field] ?? ""));
  const list: unknown = JSON.parse(String(values[column] ?? "[]"));
  return shortened(Array.isArray(list) ? list.join(", ") : "");
}

/** More does not help anybody who reads the log. */
const maxLength = 200;

function shortened(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
