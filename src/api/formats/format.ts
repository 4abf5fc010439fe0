import type { z } from "zod";
import { jsonType } from "../../http/json.ts";
import type { Input, Parameter } from "../input/parameter.ts";

/** What a list can be written in. JSON comes first: it is what a request gets that names nothing else. */
export const formatNames = ["json", "csv", "ndjson", "geojson", "gpx"] as const;

export type FormatName = (typeof formatNames)[number];

export const mediaTypes = {
  json: jsonType,
  csv: "text/csv",
  ndjson: "application/x-ndjson",
  geojson: "application/geo+json",
  gpx: "application/gpx+xml",
} as const satisfies Record<FormatName, string>;

/** Of the header `Content-Type`. Those in JSON have no parameter (src/http/json.ts), and the description names all of them so. */
export const contentTypes: Readonly<Record<FormatName, string>> = {
  json: mediaTypes.json,
  csv: `${mediaTypes.csv}; charset=utf-8; header=present`,
  ndjson: `${mediaTypes.ndjson}; charset=utf-8`,
  geojson: mediaTypes.geojson,
  gpx: `${mediaTypes.gpx}; charset=utf-8`,
};

/** Whether a document says where the next page begins. Otherwise only the header `Link` does. */
export function showsNext(format: FormatName): boolean {
  return format === "json" || format === "geojson";
}

/** A record as the list shows it in JSON. */
export type ShownRecord = Readonly<Record<string, unknown>>;

export type NameField = "device_name" | "plate" | "geofence_name" | "geofence_names" | "user_name";

/** What an answer shows of each record. */
export interface ShownFields {
  /** Null: all of them. */
  readonly fields: ReadonlySet<string> | null;
  /** Names beside the ids, whatever `fields` says. A record may have some of them by itself. */
  readonly names: readonly NameField[];
}

/** Members of the envelope besides `data` and `next_cursor`, by their names. */
export type ExtraMembers = Readonly<Record<string, string>>;

/** One document, written from its start over its records, in any number of parts, to its end. */
export interface DocumentWriter {
  readonly start: string;
  /** Whether what is written so far must be continued with `hasRecords`. */
  readonly hasRecords: boolean;
  /** The text of these records. They are given as JSON, with commas between them. */
  records(json: string): string;
  end(nextCursor: string | null, extra?: ExtraMembers): string;
}

/** Begins a document. `hasRecords`: it goes on after records that were written before, without its start. */
export type OpenDocument = (hasRecords: boolean) => DocumentWriter;

export interface ListFormats {
  readonly offered: readonly FormatName[];
  readonly parameter: Parameter<FormatName>;
  /** `fields`: which fields of its records are shown. */
  readonly fields: Parameter<string>;
  /** These two, and `include_names`: what every list takes. */
  readonly parameters: readonly Parameter<unknown>[];
  /** The input decides what the records of some lists look like, as the kind of sensor does. */
  open(name: FormatName, input: Input | null, options?: DocumentOptions): DocumentWriter;
  schemaOf(input: Input | null): z.ZodType;
  /** What tells rows apart besides their own id and their device, and is shown whatever `fields` says. Null: of any request. */
  keys(input: Input | null): readonly string[];
  /** What is wrong with `fields` in this request, though others may name them. */
  problems(input: Input): readonly string[];
  /** What is shown of the records, by the parameters' values. */
  shown(fields: string | null, withNames: boolean, input: Input): ShownFields;
}

export interface DocumentOptions {
  /** The document goes on after records that were written before, without its start. */
  readonly hasRecords?: boolean;
  readonly shown?: ShownFields;
}

export function parsedRecords(json: string): readonly ShownRecord[] {
  return JSON.parse(`[${json}]`);
}

/** A document whose records are separated by commas, from part to part, too. */
export function separated({
  start,
  textOf,
  end,
}: {
  readonly start: string;
  /** Of some records, with commas between them; empty for none. */
  readonly textOf: (json: string) => string;
  readonly end: DocumentWriter["end"];
}): OpenDocument {
  return (hadRecords) => {
    let hasRecords = hadRecords;
    return {
      start,
      end,
      get hasRecords() {
        return hasRecords;
      },
      records(json) {
        const text = textOf(json);
        if (text === "") return "";
        const separator = hasRecords ? "," : "";
        hasRecords = true;
        return separator + text;
      },
    };
  };
}
