import { fileWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import { z } from "zod";
import { cellOf, type FormatColumn, formatColumnsOf } from "../../api/formats/columns.ts";
import type { ShownRecord } from "../../api/formats/format.ts";
import { parseInstant } from "../../domain/time/time.ts";
import { inputFile } from "../common/input-file.ts";
import { readLines } from "../load/read-lines.ts";

/** Enough for a reader to skip by, and some ten megabytes in memory. */
const rowsPerGroup = 20_000;

/**
 * How each kind of value is stored. What it means is written twice: newer readers go by the logical type, older ones by the
 * converted type. Only the logical type says that a timestamp is an instant: without it, a reader takes it for the local
 * time of wherever it runs.
 */
const parquetTypes = {
  integer: { type: "INT32" },
  number: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  date: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
  instant: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
} as const satisfies Record<string, Partial<SchemaElement>>;

type Kind = keyof typeof parquetTypes;

/** Makes a Parquet file from records as lines of JSON. It has the columns of the CSV, with types. */
export async function writeParquet(schema: z.ZodType, from: string, to: string): Promise<void> {
  const columns = formatColumnsOf(schema).map((column) => ({ ...column, kind: kindOf(column) }));
  const fields = columns.map(
    ({ name, kind }): SchemaElement => ({ name, repetition_type: "OPTIONAL", ...parquetTypes[kind] }),
  );
  const columnsWith = (records: readonly ShownRecord[]) =>
    columns.map(({ name, kind, of }) => ({ name, data: records.map((record) => typedCell(of(record), kind)) }));
  const root: SchemaElement = { name: "root", num_children: fields.length };
  const writer = new ParquetWriter({ writer: fileWriter(to), schema: [root, ...fields] });
  let records: ShownRecord[] = [];
  const flush = async () => {
    await writer.write({ columnData: columnsWith(records), rowGroupSize: rowsPerGroup });
    records = [];
  };
  for await (const { texts } of readLines(await inputFile(from))) {
    for (const text of texts) {
      if (text !== "") records.push(JSON.parse(text));
      if (records.length === rowsPerGroup) await flush();
    }
  }
  if (records.length > 0) await flush();
  await writer.finish();
}

function kindOf({ schema }: FormatColumn): Kind {
  if (schema instanceof z.ZodNumber) return schema.isInt ? "integer" : "number";
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodLiteral && typeof schema.value === "boolean") return "boolean";
  const format = schema.meta()?.format;
  return format === "date-time" ? "instant" : format === "date" ? "date" : "text";
}

function typedCell(value: unknown, kind: Kind): unknown {
  const cell = cellOf(value);
  const isTime = kind === "instant" || kind === "date";
  return isTime && cell !== null ? new Date(parseInstant(String(cell)) ?? Number.NaN) : cell;
}
