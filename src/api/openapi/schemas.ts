import { z } from "zod";
import { severities } from "../../domain/alert-types.ts";
import { deviceStatuses } from "../../domain/fleet.ts";
import { sensorKinds } from "../../domain/frame.ts";
import { fenceShapes } from "../../domain/geometry/fence-shape.ts";
import { mileagePeriods } from "../../store/facts/mileage-sums.ts";
import type { FormatName, NameField } from "../formats/format.ts";
import { namesBeside } from "../formats/shown-fields.ts";
import type { Schema } from "./types.ts";

/** Where JSON Schema has its named schemas, and where OpenAPI has them. */
const definitionsRoot = "#/$defs/";
const componentsRoot = "#/components/schemas/";

/** The bounds of every integer in JSON, and those that the format int32 implies. */
const lowestNumbers = [Number.MIN_SAFE_INTEGER, -(2 ** 31)];
const highestNumbers = [Number.MAX_SAFE_INTEGER, 2 ** 31 - 1];

type Definitions = Readonly<Record<string, Schema>>;

export class SchemaCollection {
  readonly #byName = new Map<string, Schema>();

  /** The schema of a response, as a reference wherever it has a name. */
  add(type: z.ZodType): Schema {
    const { $schema: _, $defs = {}, ...schema } = z.toJSONSchema(type, { target: "draft-2020-12" });
    for (const [name, definition] of Object.entries($defs as Definitions)) {
      this.#define(name, this.#tidy(definition));
    }
    return this.#tidy(schema as Schema);
  }

  addParameter(schema: Schema): Schema {
    return this.#tidy(schema);
  }

  components(): Definitions {
    const sorted = [...this.#byName].sort(([left], [right]) => (left < right ? -1 : 1));
    const listed = sorted.flatMap(([, schema]) => recordNames(schema));
    // A record of several kinds is a schema for each.
    const records = new Set(listed.flatMap((name) => [name, ...refsIn(this.#byName.get(name)?.oneOf)]));
    const withNames = (name: string, schema: Schema) => (records.has(name) ? withNameFields(schema) : schema);
    return Object.fromEntries(sorted.map(([name, schema]) => [name, withNames(name, this.#withDiscriminator(schema))]));
  }

  #define(name: string, schema: Schema): void {
    const known = this.#byName.get(name);
    if (known && !Bun.deepEquals(known, schema)) throw new Error(`two schemas are named ${name}`);
    this.#byName.set(name, schema);
  }

  /** As OpenAPI 3.1 and its readers expect it, without what Zod adds. */
  #tidy(schema: Schema): Schema {
    const tidy = (inner: Schema) => this.#tidy(inner);
    const { id: _, propertyNames: __, ...rest } = schema as Schema & { id?: string; propertyNames?: Schema };
    const tidied: Record<string, unknown> = { ...rest };
    if (rest.$ref) tidied.$ref = rest.$ref.replace(definitionsRoot, componentsRoot);
    if (rest.properties) tidied.properties = mapValues(rest.properties, (property) => withoutBareNull(tidy(property)));
    if (typeof rest.items === "object") tidied.items = tidy(rest.items);
    // A record may gain a field within this version, so a client must accept unknown ones.
    if (rest.additionalProperties === false) delete tidied.additionalProperties;
    if (typeof rest.additionalProperties === "object") tidied.additionalProperties = tidy(rest.additionalProperties);
    for (const key of ["anyOf", "oneOf", "prefixItems"] as const) {
      if (rest[key]) tidied[key] = rest[key].map(tidy);
    }
    if (lowestNumbers.includes(rest.minimum ?? 0)) delete tidied.minimum;
    if (highestNumbers.includes(rest.maximum ?? 0)) delete tidied.maximum;
    return this.#withNamedValues(withPrecision(withNullableType(tidied)));
  }

  /** A reference if the values have a name. This place's own description stays next to it. */
  #withNamedValues(schema: Schema): Schema {
    const named = enumerationOf(schema);
    if (!named) return schema;
    this.#define(named.name, named.schema);
    const { type: _, enum: __, ...beside } = schema;
    return { ...componentRef(named.name), ...beside };
  }

  /** Names the property that distinguishes the schemas, if each has its own value for it. */
  #withDiscriminator(schema: Schema): Schema {
    const options = (schema.oneOf ?? []).map(({ $ref = "" }) => ({
      $ref,
      properties: this.#byName.get($ref.slice(componentsRoot.length))?.properties ?? {},
    }));
    const [first] = options;
    const propertyName = Object.keys(first?.properties ?? {}).find((name) => {
      const values = options.map(({ properties }) => properties[name]?.const);
      return values.every((value) => typeof value === "string") && new Set(values).size === values.length;
    });
    if (propertyName === undefined) return schema;
    const mapping = Object.fromEntries(
      options.map(({ $ref, properties }) => [String(properties[propertyName]?.const), $ref]),
    );
    return { ...schema, discriminator: { propertyName, mapping } };
  }
}

/** The names of the schemas of a list's records; none of what is no list. */
function recordNames({ properties }: Schema): readonly string[] {
  const items = properties?.data?.items;
  return typeof items === "object" ? refsIn([items]) : [];
}

function refsIn(schemas: readonly Schema[] = []): readonly string[] {
  return schemas.map(({ $ref = "" }) => $ref.slice(componentsRoot.length));
}

const nameTexts: Readonly<Record<NameField, string>> = {
  device_name: "The vehicle's name, as it is now",
  plate: "The vehicle's number plate, as it is now",
  geofence_name: "The geofence's name, as it is now",
  geofence_names: "The names of these geofences, as they are now, without those that the key does not see",
  user_name: "The person's name, for a key with the scope `users:read`",
};

/** A record with the fields that `include_names` adds. They are not required: without it they are absent. */
function withNameFields(schema: Schema): Schema {
  const { properties: own } = schema;
  if (!own) return schema;
  const names = namesBeside(Object.keys(own)).filter((name) => !(name in own));
  const field = (name: NameField): Schema => ({
    ...(name === "geofence_names" ? { type: "array", items: { type: "string" } } : { type: ["string", "null"] }),
    description: `${nameTexts[name]}. Only with \`include_names\`.`,
  });
  return { ...schema, properties: { ...own, ...Object.fromEntries(names.map((name) => [name, field(name)])) } };
}

/** Without it, generators for Go and Java take 32 bits, which move a place by up to a metre. */
function withPrecision(schema: Schema): Schema {
  return [schema.type].flat().includes("number") && schema.format === undefined
    ? { ...schema, format: "double" }
    : schema;
}

/** Always null becomes a nullable text: generated clients make nothing useful of a bare null. */
function withoutBareNull(schema: Schema): Schema {
  return schema.type === "null" ? { ...schema, type: ["string", "null"] } : schema;
}

/** `anyOf: [X, null]` as one schema of two types, if X is neither a reference nor a choice. */
function withNullableType(schema: Schema): Schema {
  const { anyOf, ...outer } = schema;
  const [inner, nothing, ...others] = anyOf ?? [];
  if (typeof inner?.type !== "string" || nothing?.type !== "null" || others.length > 0) return schema;
  const values = inner.const === undefined ? inner.enum : [inner.const];
  const { const: _, ...plain } = inner;
  return { ...plain, ...outer, type: [inner.type, "null"], ...(values ? { enum: [...values, null] } : {}) };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

export function componentRef(name: string): { readonly $ref: string } {
  return { $ref: componentsRoot + name };
}

/** Named, a set of values is one type in a generated client; unnamed, one for every place that has it. */
const enumerations: readonly { readonly name: string; readonly values: readonly string[]; readonly what: string }[] = [
  { name: "DeviceStatus", values: deviceStatuses, what: "What the fleet's owner says of a device." },
  { name: "Severity", values: severities, what: "How bad it is." },
  { name: "SensorKind", values: sensorKinds, what: "What a sensor measures." },
  { name: "ChangeKind", values: ["put", "removed"], what: "What has become of a record." },
  { name: "GeofenceShape", values: fenceShapes, what: "The shape of a geofence." },
  {
    name: "TripEndReason",
    values: ["ignition_off", "stationary", "gap", "discontinuity"],
    what: "What ended a trip.",
  },
  { name: "GeometryForm", values: ["own", "area"], what: "What a geofence is in GeoJSON." },
  { name: "SumPeriod", values: mileagePeriods, what: "How long the periods of sums are." },
  { name: "TableFormat", values: formatsWith(), what: "What a list without places can be written in." },
  { name: "MapFormat", values: formatsWith("geojson"), what: "What a list of places can be written in." },
  { name: "TrackFormat", values: formatsWith("geojson", "gpx"), what: "What a list of ways can be written in." },
];

function formatsWith(...others: readonly FormatName[]): readonly FormatName[] {
  return ["json", "csv", "ndjson", ...others];
}

function enumerationOf({ enum: values }: Schema): { readonly name: string; readonly schema: Schema } | null {
  const found = values && enumerations.find((candidate) => Bun.deepEquals(candidate.values, values));
  if (!found) return null;
  return { name: found.name, schema: { type: "string", enum: found.values, description: found.what } };
}
