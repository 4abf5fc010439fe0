import type { AdministrationTexts } from "../texts/texts.ts";
import type { Conflict } from "./use-edit.ts";

/** How a form names and shows the fields of a record. */
export interface ShownFields {
  /** The record as the person opened it, by the same names of fields. */
  readonly opened: Readonly<Record<string, unknown>>;
  /** What a field is called in the form; one without a name is not told. */
  readonly fieldName: (field: string) => string | undefined;
  /** A value in words, of fields that do not hold what a person typed; undefined: only the field is named. */
  readonly fieldValue?: (field: string, value: unknown) => string | undefined;
}

/** Fields that hold what a person typed, in the lines of all types. */
const typed: ReadonlySet<string> = new Set([
  ...["name", "description", "email", "time_zone", "imei", "plate", "vin"],
  ...["vehicle_make", "vehicle_model", "vehicle_year", "vehicle_type", "tracker_model"],
]);

/** What somebody else changed, each with what is there now: "Changed since you opened it: Name (now Van 2)." Pure. */
export function conflictSentence(
  { current }: Pick<Conflict, "current">,
  { opened, fieldName, fieldValue }: ShownFields,
  words: AdministrationTexts["fleet"],
): string {
  const names = new Set([...Object.keys(current), ...Object.keys(opened)]);
  const changed = [...names]
    .filter((name) => JSON.stringify(current[name]) !== JSON.stringify(opened[name]))
    .flatMap((name) => {
      const field = fieldName(name);
      if (field === undefined) return [];
      const value = current[name] ?? null;
      const shown = fieldValue?.(name, value) ?? (typed.has(name) ? String(value ?? "") : undefined);
      if (shown === undefined && value !== null) return field;
      return shown ? words.nowValue(field, shown) : words.nowEmpty(field);
    });
  return changed.length === 0 ? "" : words.conflictFields(changed.join(", "));
}
