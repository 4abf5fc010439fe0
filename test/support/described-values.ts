import fc from "fast-check";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import type { ParameterObject, Schema } from "../../src/api/openapi/types.ts";

/** The parameters that the description lists for a path, with their schemas in full. */
export function describedParameters(path: string): ParameterObject[] {
  const { paths, components } = openApiDocument();
  return (paths[path]?.get.parameters ?? []).map((parameter) => {
    const { $ref } = parameter.schema;
    const schema = $ref ? components.schemas[$ref.slice("#/components/schemas/".length)] : parameter.schema;
    if (!schema) throw new Error(`${path} ${parameter.name}: ${$ref} leads nowhere`);
    return { ...parameter, schema };
  });
}

/** Any character, and often one that a careless reader stumbles over. */
const character = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  fc.constantFrom("\u0000", "\u0002", "\t", "\n", "\r", "\u007f", "\u0085", "\u2028", "\ufeff", "\ufffd", "\u202e"),
  fc.constantFrom("%", "_", "\\", "'", '"', "&", "=", "+", " ", "#", "?", "/", ";", "$1", "ẞ", "ı", "🚚", "e\u0301"),
);

/** Counted as JSON Schema counts: by code points. */
function text(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const short = fc.string({ unit: character, minLength, maxLength: Math.min(maxLength, 20) });
  const long = fc.constantFrom("x", "🚚", "\n").map((one) => one.repeat(maxLength));
  return fc.oneof({ weight: 9, arbitrary: short }, { weight: 1, arbitrary: long });
}

/** Longer than anything that the service hands out, within what the address of a request may have. */
const longText = 2_000;
const twoDigits = (number: number) => String(number).padStart(2, "0");

/** Every form of RFC 3339, leap seconds among them. */
const dateTime = fc
  .record({
    day: fc.date({ noInvalidDate: true, min: new Date("0001-01-02"), max: new Date("9998-12-30") }),
    second: fc.integer({ min: 0, max: 60 }),
    fraction: fc.stringMatching(/^(\.[0-9]{1,12})?$/),
    offset: fc.oneof(fc.constantFrom("Z", "z"), fc.stringMatching(/^[+-]([01][0-9]|2[0-3]):[0-5][0-9]$/)),
    separator: fc.constantFrom("T", "t"),
  })
  .map(({ day, second, fraction, offset, separator }) => {
    const iso = day.toISOString();
    return `${iso.slice(0, 10)}${separator}${iso.slice(11, 17)}${twoDigits(second)}${fraction}${offset}`;
  });

const uuid = fc.tuple(fc.uuid(), fc.boolean()).map(([id, isUpper]) => (isUpper ? id.toUpperCase() : id));

/** What the schema allows, as a query would carry it. */
export function allowedValues(schema: Schema): fc.Arbitrary<string> {
  if (schema.enum) return fc.constantFrom(...schema.enum.map(String));
  switch (schema.type) {
    case "boolean":
      return fc.constantFrom("true", "false");
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9 }).map(String);
    case "string":
      if (schema.format === "uuid") return uuid;
      if (schema.format === "date-time") return dateTime;
      if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
      if (schema.format) throw new Error(`no values are known for ${JSON.stringify(schema)}`);
      return text(schema.minLength ?? 0, schema.maxLength ?? longText);
    default:
      throw new Error(`no values are known for ${JSON.stringify(schema)}`);
  }
}

/** What the schema forbids; null if it allows every text. An empty one is forbidden where it says so. */
export function forbiddenValues(schema: Schema): fc.Arbitrary<string> | null {
  const some = fc.string({ unit: character, minLength: 1, maxLength: 20 });
  if (schema.enum) return some.filter((value) => !schema.enum?.includes(value));
  switch (schema.type) {
    case "boolean":
      return fc.oneof(some, fc.constantFrom("TRUE", "1", "0", "yes", "null", "truefalse"));
    case "integer":
      return fc.oneof(
        some.filter((value) => !/^[0-9]+$/.test(value)),
        fc.integer({ min: (schema.maximum ?? 0) + 1 }).map(String),
        fc.integer({ max: (schema.minimum ?? 0) - 1 }).map(String),
        fc.constantFrom("9".repeat(400), "1e999", "NaN", "Infinity", "1.5", "0x10", "١٠", "１０"),
      );
    default: {
      if (schema.format === "uuid")
        return fc.oneof(
          some,
          uuid.map((id) => id.replaceAll("-", "")),
          uuid.map((id) => `${id}0`),
        );
      // A date alone and a time without an offset are allowed in words.
      if (schema.format === "date-time") {
        return fc.oneof(
          some.filter((value) => !/^\d{4}-\d\d-\d\d/.test(value)),
          fc.constantFrom(
            "2026-02-30",
            "2026-13-01T00:00:00Z",
            "20260615",
            "2026-06-15T24:00:01Z",
            "2026-06-15T00:00:61Z",
          ),
        );
      }
      const { pattern } = schema;
      if (pattern !== undefined) return some.filter((value) => !new RegExp(pattern).test(value));
      const tooLong =
        schema.maxLength === undefined
          ? []
          : [fc.constantFrom("x", "🚚").map((one) => one.repeat((schema.maxLength ?? 0) + 1))];
      const tooShort = schema.minLength === 1 ? [fc.constant("")] : [];
      const forbidden = [...tooLong, ...tooShort];
      return forbidden.length === 0 ? null : fc.oneof(...forbidden);
    }
  }
}
