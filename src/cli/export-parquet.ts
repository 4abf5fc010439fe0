import { type BasicType, fileWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { z } from "zod";
import { type Column, cellOf, columnsOf } from "../api/formats/columns.ts";
import type { ShownRecord } from "../api/formats/format.ts";
import { parseInstant } from "../domain/time.ts";
import { inputFile } from "./input-file.ts";
import { readLines } from "./read-lines.ts";

/** Enough for a reader to skip by, and some ten megabytes in memory. */
const rowsPerGroup = 20_000;

/** Makes a Parquet file from records as lines of JSON. It has the columns of the CSV, with types: instants are timestamps. */
export async function writeParquet(schema: z.ZodType, from: string, to: string): Promise<void> {
  const columns = columnsOf(schema).map((column) => ({ ...column, type: typeOf(column) }));
  const columnsWith = (records: readonly ShownRecord[]) =>
    columns.map(({ name, type, of }) => ({
      name,
      type,
      nullable: true,
      data: records.map((record) => typedCell(of(record), type)),
    }));
  const empty = columnsWith([]);
  const writer = new ParquetWriter({ writer: fileWriter(to), schema: schemaFromColumnData({ columnData: empty }) });
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

function typeOf({ schema }: Column): BasicType {
  if (schema instanceof z.ZodNumber) return schema.isInt ? "INT32" : "DOUBLE";
  if (schema instanceof z.ZodBoolean) return "BOOLEAN";
  if (schema instanceof z.ZodLiteral && typeof schema.value === "boolean") return "BOOLEAN";
  return schema.meta()?.format === "date-time" ? "TIMESTAMP" : "STRING";
}

function typedCell(value: unknown, type: BasicType): unknown {
  const cell = cellOf(value);
  return type === "TIMESTAMP" && cell !== null ? new Date(parseInstant(String(cell)) ?? Number.NaN) : cell;
}
