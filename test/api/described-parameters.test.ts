import { expect, test } from "bun:test";
import fc from "fast-check";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import type { ParameterObject, Schema } from "../../src/api/openapi/types.ts";
import { routes } from "../../src/api/routes.ts";
import { onEachEngine } from "../support/engines.ts";
import { type FleetApi, sharedFleetApi } from "../support/fleet-api.ts";
import { rounds } from "../support/rounds.ts";

/** What the description says in words: `from` is earlier than `to`, and one device has both names. */
const beside: Readonly<Record<string, string>> = {
  from: "to=9999-12-31T23:59:59.999Z",
  to: "from=0000-01-01",
  radius_m: "near=52.5,13.4",
  geometry: "format=geojson",
};

/** A request that is right but for the parameter, relative to /v1. */
function requestOf({ fleet }: FleetApi, path: string, { name, in: place }: ParameterObject, value: string): string {
  const filled = path.replace(/\{(\w+)\}/, (_, part) => {
    if (place === "path") return encodeURIComponent(value);
    return part === "kind" ? "fuel" : part === "user_id" ? fleet.anna.id : fleet.van.id;
  });
  if (place !== "query") return `${filled}?device_id=${fleet.van.id}`;
  const device = name === "imei" || name === "device_id" ? [] : [`device_id=${fleet.van.id}`];
  return `${filled}?${[...device, ...ofRoute(path, name), ...[beside[name] ?? []].flat(), `${name}=${encodeURIComponent(value)}`].join("&")}`;
}

/** What the route requires. */
function ofRoute(path: string, name: string): string[] {
  return path === "/positions/at" && name !== "time" ? ["time=2026-06-15T12:00:00Z"] : [];
}

/** Filters that take any text are no list of what there is: what is not there is not found. */
const mayNameNothing = ["imei", "device_id", "user_id", "geofence_id"];

/** Lists whose answers differ in their fields. */
const mayLackFields = ["/positions/latest", "/sensors/{kind}", "/reports/mileage"];

onEachEngine("the description", (engine) => {
  const given = sharedFleetApi(engine);
  const numRuns = engine.name === "sqlite" ? rounds(25, 200) : rounds(8, 80);
  const parameters = routes.flatMap(({ path }) => describedParameters(path).map((parameter) => ({ path, parameter })));

  test.each(parameters.map((one) => [one.path, one.parameter.name, one.parameter] as const))(
    "property: %s answers whatever it allows for %s, and refuses what it forbids",
    async (path, name, parameter) => {
      const fleetApi = given();
      const { api, key } = fleetApi;
      const mine = await key();
      const ask = (value: string) =>
        parameter.in === "header"
          ? api.get(requestOf(fleetApi, path, parameter, value), mine, { [name]: value.replace(/[^ -~]/g, "") })
          : api.get(requestOf(fleetApi, path, parameter, value), mine);

      // A text that stands for a part of the path is a part: neither nothing nor a step up.
      const allowed = allowedValues(parameter.schema).filter(
        (value) => parameter.in !== "path" || !["", ".", ".."].includes(value),
      );
      await fc.assert(
        fc.asyncProperty(allowed, async (value) => {
          const { status, body } = await ask(value);
          if (name === "cursor" || name === "after") {
            // In words: only what the service has handed out.
            expect([value, status]).toEqual([value, value === "" ? 200 : 400]);
            return;
          }
          // In words: what other answers of the list have.
          if (name === "fields" && status === 400) {
            expect(body.error.message).toContain("; this answer has no ");
            expect(mayLackFields).toContain(path);
            return;
          }
          const expected = mayNameNothing.includes(name) ? [200, 404] : [200, 304];
          expect([value, status, body?.error?.message, expected.includes(status)]).toEqual([
            value,
            status,
            status === 404 ? body.error.message : undefined,
            true,
          ]);
        }),
        { numRuns },
      );

      const forbidden = forbiddenValues(parameter.schema);
      if (forbidden === null || parameter.in === "header") return;
      await fc.assert(
        fc.asyncProperty(forbidden, async (value) => {
          if (parameter.in === "path" && ["", ".", ".."].includes(value)) return;
          const { status, body } = await ask(value);
          // In words: what a path names and is not there is 404.
          expect([value, status]).toEqual([value, parameter.in === "path" ? 404 : 400]);
          if (status === 400) expect(body.error.message).toStartWith(`${name}: expected `);
        }),
        { numRuns },
      );
    },
  );
});

/** The parameters that the description lists for a path, with their schemas in full. */
function describedParameters(path: string): ParameterObject[] {
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
function allowedValues(schema: Schema): fc.Arbitrary<string> {
  if (schema.enum) return fc.constantFrom(...schema.enum.map(String));
  switch (schema.type) {
    case "boolean":
      return fc.constantFrom("true", "false");
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map(String);
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
function forbiddenValues(schema: Schema): fc.Arbitrary<string> | null {
  const some = fc.string({ unit: character, minLength: 1, maxLength: 20 });
  if (schema.enum) return some.filter((value) => !schema.enum?.includes(value));
  switch (schema.type) {
    case "boolean":
      return fc.oneof(some, fc.constantFrom("TRUE", "1", "0", "yes", "null", "truefalse"));
    case "number":
      return fc.oneof(
        some.filter((value) => Number.isNaN(Number(value))),
        fc.constantFrom("9".repeat(400), "1e999", "NaN", "-Infinity", "0x10", "1,5", "１０"),
      );
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
