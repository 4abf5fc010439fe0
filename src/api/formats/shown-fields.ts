import { z } from "zod";
import { type Parameter, query } from "../input/parameter.ts";
import { type FormatName, type NameField, parsedRecords, type ShownFields, type ShownRecord } from "./format.ts";

export const everyField: ShownFields = { fields: null, names: [] };

/** Which names stand beside which id. An alert's user is the one who acknowledged it. */
export const nameFields: readonly { readonly ids: readonly string[]; readonly names: readonly NameField[] }[] = [
  { ids: ["device_id"], names: ["device_name", "plate"] },
  { ids: ["geofence_id"], names: ["geofence_name"] },
  { ids: ["geofence_ids"], names: ["geofence_names"] },
  { ids: ["user_id", "acknowledged_by"], names: ["user_name"] },
];

/** The top-level fields of records, in their order. Records of several kinds have those of all. */
export function fieldNames(schema: z.ZodType): readonly string[] {
  if (schema instanceof z.ZodDiscriminatedUnion) {
    return [...new Set(schema.options.flatMap((option) => fieldNames(option as z.ZodType)))];
  }
  if (!(schema instanceof z.ZodObject)) throw new Error("a list needs records with known fields");
  return Object.keys(schema.shape);
}

/**
 * What tells a row from the others, whatever is shown of it: its own id, which comes first, its device, and the keys of its
 * list.
 */
export function identifyingFields(names: readonly string[], keys: readonly string[]): readonly string[] {
  return names.filter((name, index) => index === 0 || name === "id" || name === "device_id" || keys.includes(name));
}

const separator = ",";

/**
 * Its value is the list in the order of the record: two requests for the same fields have the same one. `shared`: the fields
 * that all answers have.
 */
export function fieldsParameter(names: readonly string[], shared: readonly string[]): Parameter<string> {
  const anyName = names.join("|");
  return {
    ...query,
    name: "fields",
    description:
      "Only these fields of each record, separated by commas. Fields that identify a row are always there: ids, and where they are " +
      "the key, time, date, period, tag. A field that this answer cannot have is 400. Records then lack others that their schema " +
      "requires: `/openapi.json?rows=any` describes them so. Omitted: all fields.",
    isCommaList: true,
    schema: { type: "string", pattern: `^(${anyName})(,(${anyName}))*$` },
    example: [...identifyingFields(shared, []), shared.at(-1)].join(separator),
    expected: expectedOf(names),
    read: (text) => {
      const named = text.split(separator);
      const isKnown = named.every((name) => names.includes(name));
      return isKnown ? names.filter((name) => named.includes(name)).join(separator) : undefined;
    },
  };
}

function expectedOf(names: readonly string[]): string {
  return `a comma-separated list of ${names.join(", ")}`;
}

/** What is wrong with naming these fields: other answers of the list have them, this one cannot. */
export function absentFieldProblems(names: readonly string[], fields: string): string[] {
  const absent = fields.split(separator).filter((name) => !names.includes(name));
  if (absent.length === 0) return [];
  return [`fields: expected ${expectedOf(names)}; this answer has no ${absent.join(", ")}`];
}

/** `all`: the fields of the records; `keys`: which of them tell rows apart; `fields`: the value of the parameter. */
export function shownFields(
  all: readonly string[],
  keys: readonly string[],
  fields: string | null,
  withNames: boolean,
): ShownFields {
  const names = withNames ? namesBeside(all) : [];
  if (fields === null) return { fields, names };
  const named = fields.split(separator);
  return { fields: new Set([...identifyingFields(all, keys), ...named]), names };
}

/** What `include_names` adds to records with these fields. */
export function namesBeside(fields: readonly string[]): readonly NameField[] {
  return nameFields.filter(({ ids }) => ids.some((id) => fields.includes(id))).flatMap(({ names }) => names);
}

export function isShown({ fields, names }: ShownFields, name: string): boolean {
  return fields === null || fields.has(name) || names.some((other) => other === name);
}

/** Whether records are shown in JSON just as they are made. */
export function isWholeJson({ format, shown }: { readonly format: FormatName; readonly shown: ShownFields }): boolean {
  return format === "json" && shown === everyField;
}

/** The record with what is shown of it alone. */
export function picked(record: ShownRecord, shown: ShownFields, besides: readonly string[] = []): ShownRecord {
  const isKept = (name: string) => isShown(shown, name) || besides.includes(name);
  return Object.fromEntries(Object.entries(record).filter(([name]) => isKept(name)));
}

/** The same of records as JSON, with commas between them. */
export function pickedJson(json: string, shown: ShownFields, besides: readonly string[] = []): string {
  if (shown.fields === null) return json;
  return JSON.stringify(parsedRecords(json).map((record) => picked(record, shown, besides))).slice(1, -1);
}
