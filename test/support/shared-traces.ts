import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const folder = resolve(import.meta.dir, "../../../shared/data");

export type TraceRow = Readonly<Record<string, string>>;

/** The rows of a real trace, by column; null, with a line that says so, where the traces are absent. */
export function readTrace(name: string): readonly TraceRow[] | null {
  const path = resolve(folder, name);
  if (!existsSync(path)) {
    console.log(`skipped: there is no ../shared/data/${name}`);
    return null;
  }
  const [header = "", ...lines] = readFileSync(path, "utf8").trim().split("\n");
  const columns = header.split(",");
  return lines.map((line) => {
    const values = line.split(",");
    return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? ""]));
  });
}
