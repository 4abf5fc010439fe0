import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

/** Beside the checkout; a work tree of it is one folder deeper. */
const folders = ["../../../shared/data", "../../../../shared/data"].map((path) => resolve(import.meta.dir, path));

export type TraceRow = Readonly<Record<string, string>>;

/** The rows of a real trace, by column; null, with a line that says so, where the traces are absent. */
export function readTrace(name: string): readonly TraceRow[] | null {
  const path = folders.map((folder) => resolve(folder, name)).find((candidate) => existsSync(candidate));
  if (path === undefined) {
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
