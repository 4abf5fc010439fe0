import { open } from "node:fs/promises";
import { Failure } from "../domain/errors.ts";
import type { Lines } from "../fleet/erase/written-out.ts";
import { cannotBeWritten } from "./export-target.ts";

/** Bytes that are written at a time. */
const maxWaiting = 1 << 20;

/** Writes lines to a new file that only its owner may read, and does not return before they are on the disk. */
export async function writeOut(path: string, lines: Lines, onWritten: (lines: number) => void): Promise<number> {
  let count = 0;
  try {
    const file = await open(path, "wx", 0o600);
    try {
      let waiting = "";
      for await (const line of lines) {
        waiting += `${JSON.stringify(line)}\n`;
        count++;
        if (waiting.length < maxWaiting) continue;
        await file.writeFile(waiting);
        waiting = "";
        onWritten(count);
      }
      await file.writeFile(waiting);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof Failure || typeof code !== "string") throw error;
    if (code === "EEXIST") throw new Failure("REFUSED", `${path} is there already, and is not overwritten`);
    throw cannotBeWritten(path, error as NodeJS.ErrnoException);
  }
  return count;
}
