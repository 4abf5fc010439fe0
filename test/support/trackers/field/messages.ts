import { readFileSync } from "node:fs";
import type { FieldMessage } from "../field-message.ts";

/** The messages of a file beside this one. A line with a `source` holds for the lines that follow it. */
export function fieldMessages(name: string): readonly FieldMessage[] {
  let source = "";
  const lines = readFileSync(`${import.meta.dir}/${name}.ndjson`, "utf8")
    .trimEnd()
    .split("\n");
  return lines.flatMap((line) => {
    const record = JSON.parse(line) as Omit<FieldMessage, "source"> | { readonly source: string };
    if ("message" in record) return { source, ...record };
    source = record.source;
    return [];
  });
}
