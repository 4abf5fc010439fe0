import type { z } from "zod";
import { includeNames } from "../input/filters.ts";
import { type Input, type Parameter, query } from "../input/parameter.ts";
import { csvOf } from "./csv.ts";
import {
  type FormatName,
  formatNames,
  type ListFormats,
  mediaTypes,
  type OpenDocument,
  type ShownFields,
} from "./format.ts";
import { type FeatureRules, geoJsonOf } from "./geojson.ts";
import { gpxPlaceFields } from "./gpx.ts";
import { openJson, openNdjson } from "./json.ts";
import {
  absentFieldProblems,
  everyField,
  fieldNames,
  fieldsParameter,
  pickedJson,
  shownFields,
} from "./shown-fields.ts";

/** What a list says of its formats. JSON, CSV and NDJSON need nothing more than the schema of its records. */
export interface DeclaredFormats {
  readonly schema: z.ZodType;
  /** If the records of one request have fewer fields than the schema says. The input is null where there is no request. */
  readonly schemaOf?: (input: Input | null) => z.ZodType;
  /** Of rows of another shape, which `schemaOf` gives for some requests. `fields` may name theirs, too. */
  readonly otherSchema?: z.ZodType;
  /** What tells its rows apart besides their own id and their device. The input is null where any request is meant. */
  readonly keys?: ListFormats["keys"];
  readonly geojson?: FeatureRules;
  /** If a request may ask for other features. */
  readonly geojsonOf?: (input: Input) => FeatureRules;
  readonly gpx?: OpenDocument;
}

export function listFormats(declared: DeclaredFormats): ListFormats {
  const { schema, otherSchema, schemaOf = () => schema, keys = () => [], geojson, geojsonOf, gpx } = declared;
  const tables = new Map<z.ZodType, OpenDocument>();
  const tableOf: Opener = (input, shown) => {
    const record = schemaOf(input);
    if (shown !== everyField) return csvOf(record, shown);
    const table = tables.get(record) ?? csvOf(record);
    tables.set(record, table);
    return table;
  };
  const openers: Readonly<Record<FormatName, Opener | null>> = {
    json: (_, shown) => picking(openJson, shown),
    csv: tableOf,
    ndjson: (_, shown) => picking(openNdjson, shown),
    geojson: geojson ? (input, shown) => geoJsonOf((input && geojsonOf?.(input)) ?? geojson, shown) : null,
    gpx: gpx ? (_, shown) => picking(gpx, shown, gpxPlaceFields) : null,
  };
  const names = fieldNames(schema);
  const everyName = otherSchema ? [...new Set([...names, ...fieldNames(otherSchema)])] : names;
  const shared = fieldNames(schemaOf(null)).filter((name) => !otherSchema || fieldNames(otherSchema).includes(name));
  const fields = fieldsParameter(everyName, shared);
  const namesOf = (input: Input) => (otherSchema ? fieldNames(schemaOf(input)) : names);
  const offered = formatNames.filter((name) => openers[name] !== null);
  const parameter = formatParameter(offered);
  return {
    offered,
    parameter,
    fields,
    parameters: [parameter, fields, includeNames],
    schemaOf,
    keys,
    problems(input) {
      const named = input.get(fields);
      return named === null ? [] : absentFieldProblems(fieldNames(schemaOf(input)), named);
    },
    shown: (named, withNames, input) =>
      named === null && !withNames ? everyField : shownFields(namesOf(input), keys(input), named, withNames),
    open(name, input, { hasRecords = false, shown = everyField } = {}) {
      const opener = openers[name];
      if (opener === null) throw new Error(`this list is not written as ${name}`);
      return opener(input, shown)(hasRecords);
    },
  };
}

type Opener = (input: Input | null, shown: ShownFields) => OpenDocument;

/** The same document of records with fewer fields. `besides`: what it cannot do without. */
function picking(open: OpenDocument, shown: ShownFields, besides?: readonly string[]): OpenDocument {
  if (shown.fields === null) return open;
  return (hadRecords) => {
    const document = open(hadRecords);
    return {
      start: document.start,
      get hasRecords() {
        return document.hasRecords;
      },
      records: (json) => document.records(pickedJson(json, shown, besides)),
      end: document.end,
    };
  };
}

/** Each list has its own: what it does not offer is refused. */
function formatParameter(offered: readonly FormatName[]): Parameter<FormatName> {
  const types = offered.map((name) => `\`${name}\` (\`${mediaTypes[name]}\`)`);
  return {
    ...query,
    name: "format",
    description:
      `What the answer is written in: ${types.slice(0, -1).join(", ")} or ${types.at(-1)}. It wins over the header ` +
      "`Accept`, which names the same by media type. Errors are always JSON.",
    schema: { type: "string", enum: offered, default: "json" },
    example: "json",
    expected: `one of ${offered.join(", ")}`,
    read: (text) => offered.find((name) => name === text),
  };
}
