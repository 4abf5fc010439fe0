import { z } from "zod";
import { severities } from "../../domain/alert-types.ts";
import { isUuid } from "../../domain/text/identifiers.ts";
import { formatInstant, parseInstant } from "../../domain/time/time.ts";
import { field, type RecordField, type RecordFields } from "./record.ts";
import { story } from "./story.ts";
import { instantOrNull } from "./values.ts";

/** We check formats by hand and describe them as `format`: Zod's patterns are long, and some refuse what we store. */

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const datePattern = /^\d{4}-\d\d-\d\d$/;

/** Ids may come from other systems: of any version, in lower case. */
export const uuidText = z
  .string()
  .refine((text) => isUuid(text))
  .meta({ format: "uuid" });

export const instantText = z
  .string()
  .refine((text) => instantPattern.test(text) && parseInstant(text) !== null)
  .meta({ format: "date-time" });

export const date = z
  .string()
  .refine((text) => datePattern.test(text) && parseInstant(text) !== null)
  .meta({ format: "date" });

const largestInt32 = 2 ** 31 - 1;

export const int32 = z
  .int()
  .min(-largestInt32 - 1)
  .max(largestInt32)
  .meta({ format: "int32" });
export const count = z.int().min(0).max(largestInt32).meta({ format: "int32" });

/** For values that Odograph measures itself; a tracker may report anything. */
export const amount = z.number().min(0);

export const severityText = z.enum(severities);

export const imeiText = z.string().regex(/^[0-9]{14,16}$/);

export const deviceFields: RecordFields<{ readonly device_id: string; readonly imei: string }> = {
  device_id: field(uuidText, "The device's id.", (row) => row.device_id, [story.deviceId]),
  imei: field(imeiText, "The tracker's IMEI, 14 to 16 digits.", (row) => row.imei, [story.imei]),
};

export function timeValue<Row>(description: string, of: (row: Row) => number): RecordField<Row> {
  return field(instantText, description, (row: Row) => formatInstant(of(row)));
}

export function timeOrNull<Row>(description: string, of: (row: Row) => number | null): RecordField<Row> {
  return field(instantText.nullable(), description, (row: Row) => instantOrNull(of(row)));
}

/** The id of what is derived from frames. `moment`: what its id is made from. */
export function derivedId<Row extends { readonly id: string }>(
  what: string,
  moment: string,
  example: string,
): RecordField<Row> {
  const description = `Stays the same when the ${what} is derived again, unless it ${moment} at another moment then.`;
  return field(uuidText, description, (row: Row) => row.id, [example]);
}
