import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Empty files in the data directory whose time says when something was last done. */

/** Gives the file this time, and makes it if it is not there. Returns whether it could: it is never worth failing for. */
export function markFile(path: string, at: number): boolean {
  try {
    // Appends nothing, so whatever is written in it stays.
    writeFileSync(path, "", { mode: 0o600, flag: "a" });
    utimesSync(path, at / 1000, at / 1000);
    return true;
  } catch {
    return false;
  }
}

/** Null if there is no such file, or it cannot be looked at. */
export function timeOfFile(path: string): number | null {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return null;
  }
}

/** Made by `odograph backup`. Other ways to make backups `touch` it. */
export function lastBackupFile(dataDirectory: string): string {
  return join(dataDirectory, "last-backup");
}
