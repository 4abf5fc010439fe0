/** How a form names and shows the fields of a record. */
export interface ConflictFields {
  /** The record as the person opened it, by the same names of fields. */
  readonly opened: Readonly<Record<string, unknown>>;
  /** What a field is called in the form; one without a name is left out. Fields of one name are one part of the form. */
  readonly fieldName: (field: string) => string | undefined;
  /** A value in words, of fields that do not hold what a person typed. `record` has the other fields of the part. */
  readonly fieldValue?: (
    field: string,
    value: unknown,
    record: Readonly<Record<string, unknown>>,
  ) => string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** A part of a form that another person has changed, too. */
export interface PartInConflict {
  readonly label: string;
  readonly fields: readonly string[];
  readonly mine: string;
  readonly current: string;
}

/** What both have changed, and not to the same. Pure. */
export function partsInConflict(current: Fields, mine: Fields, form: ConflictFields): readonly PartInConflict[] {
  return partsOf(Object.keys(mine), form).flatMap(([label, fields]) => {
    const isTheirs = fields.some((field) => !isSame(current[field], form.opened[field]));
    const isOther = fields.some((field) => !isSame(current[field], mine[field]));
    if (!isTheirs || !isOther) return [];
    const inWords = (record: Fields) => {
      const [first = ""] = fields;
      return shown(first, record, form) ?? plainly(record[first]);
    };
    return { label, fields, mine: inWords({ ...form.opened, ...mine }), current: inWords(current) };
  });
}

/** What another person has changed, by parts of the form, each with what is there now; undefined: only named. Pure. */
export function changedParts(current: Fields, form: ConflictFields) {
  const changed = [...new Set([...Object.keys(current), ...Object.keys(form.opened)])].filter(
    (field) => !isSame(current[field], form.opened[field]),
  );
  return partsOf(changed, form).map(([label, [first = ""]]) => {
    const value = shown(first, current, form);
    return { label, value: value === undefined && (current[first] ?? null) === null ? "" : value };
  });
}

/** Of one's own fields those that stay, without the parts of which the other's was chosen. Pure. */
export function sentFields(mine: Fields, parts: readonly PartInConflict[], theirs: ReadonlySet<string>): Fields {
  const left = new Set(parts.flatMap(({ label, fields }) => (theirs.has(label) ? fields : [])));
  return Object.fromEntries(Object.entries(mine).filter(([field]) => !left.has(field)));
}

function partsOf(fields: readonly string[], { fieldName }: ConflictFields) {
  const named = fields.flatMap((field) => {
    const label = fieldName(field);
    return label === undefined ? [] : [{ field, label }];
  });
  const byLabel = Map.groupBy(named, ({ label }) => label);
  return [...byLabel].map(([label, own]) => [label, own.map(({ field }) => field)] as const);
}

/** Fields that hold what a person typed, in the lines of all types. */
const typed: ReadonlySet<string> = new Set([
  ...["name", "description", "email", "time_zone", "imei", "plate", "vin"],
  ...["vehicle_make", "vehicle_model", "vehicle_year", "vehicle_type", "tracker_model", "tracker_clock"],
  ...["tracker_id", "tracker_protocol"],
]);

function shown(field: string, record: Fields, { fieldValue }: ConflictFields): string | undefined {
  const value = record[field] ?? null;
  return fieldValue?.(field, value, record) ?? (typed.has(field) ? String(value ?? "") : undefined);
}

/** Of lists and of names with values. */
function plainly(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${one}`)
    .join(", ");
}

/** What is not set is left out of a line, or null. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
