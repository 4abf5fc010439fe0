import type { z } from "zod";
import type { Input, Parameter } from "../input/parameter.ts";
import { csvOf } from "./csv.ts";
import { type FormatName, formatNames, type ListFormats, mediaTypes, type OpenDocument } from "./format.ts";
import { type FeatureRules, geoJsonOf } from "./geojson.ts";
import { openJson, openNdjson } from "./json.ts";

/** What a list says of its formats. JSON, CSV and NDJSON need nothing more than the schema of its records. */
export interface DeclaredFormats {
  readonly schema: z.ZodType;
  /** If the records of one request have fewer fields than the schema says. The input is null where there is no request. */
  readonly schemaOf?: (input: Input | null) => z.ZodType;
  readonly geojson?: FeatureRules;
  readonly gpx?: OpenDocument;
}

export function listFormats({ schema, schemaOf = () => schema, geojson, gpx }: DeclaredFormats): ListFormats {
  const tables = new Map<z.ZodType, OpenDocument>();
  const tableOf = (input: Input | null): OpenDocument => {
    const shown = schemaOf(input);
    const table = tables.get(shown) ?? csvOf(shown);
    tables.set(shown, table);
    return table;
  };
  const features = geojson && geoJsonOf(geojson);
  const openers: Readonly<Record<FormatName, ((input: Input | null) => OpenDocument) | null>> = {
    json: () => openJson,
    csv: tableOf,
    ndjson: () => openNdjson,
    geojson: features ? () => features : null,
    gpx: gpx ? () => gpx : null,
  };
  const offered = formatNames.filter((name) => openers[name] !== null);
  return {
    offered,
    parameter: formatParameter(offered),
    schemaOf,
    open(name, input, hasRecords = false) {
      const opener = openers[name];
      if (opener === null) throw new Error(`this list is not written as ${name}`);
      return opener(input)(hasRecords);
    },
  };
}

/** Each list has its own: what it does not offer is refused. */
function formatParameter(offered: readonly FormatName[]): Parameter<FormatName> {
  const types = offered.map((name) => `\`${name}\` (\`${mediaTypes[name]}\`)`);
  return {
    name: "format",
    in: "query",
    required: false,
    emptyIsAbsent: false,
    description:
      `What the answer is written in: ${types.slice(0, -1).join(", ")} or ${types.at(-1)}. It wins over the header ` +
      "`Accept`, which names the same by media type. Errors are always JSON.",
    schema: { type: "string", enum: offered, default: "json" },
    example: "json",
    expected: `one of ${offered.join(", ")}`,
    read: (text) => offered.find((name) => name === text),
  };
}
