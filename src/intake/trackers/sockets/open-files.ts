import { readFile } from "node:fs/promises";
import { limits } from "../limits.ts";
import type { PlaceLimits } from "./places.ts";

/** Where the system does not say it: as many as macOS gives at least. */
const usualOpenFiles = 10_240;
/** What a store with its connections, and some dozens of clients of the API, the portal and gateways have open at once. */
const fewestFree = 256;
/** A node of many trackers has many clients, too. More than that is not needed by any. */
const mostFree = 8_192;
/** Silent ones must not keep out those that are logged in. After a restart, all trackers log in within minutes, few at once. */
const shareBeforeLogin = 1 / 2;

/** What a process does with the files that it may open. */
export interface FileBudget {
  readonly openFiles: number;
  /** For all but trackers. */
  readonly keptFree: number;
  readonly places: PlaceLimits;
}

/** How many files, sockets among them, this process may open. The runtime has raised the soft limit to the hard one. */
export async function readOpenFiles(): Promise<number> {
  const text = await readFile("/proc/self/limits", "utf8").catch(() => "");
  return openFilesIn(text) ?? usualOpenFiles;
}

/** In the words of Linux. Null: it does not say. */
export function openFilesIn(text: string): number | null {
  const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(text) ?? [];
  if (soft === undefined) return null;
  return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(soft);
}

/** A quarter is kept free, within bounds; of a limit that leaves no room for that, half. */
export function budgetOf(openFiles: number): FileBudget {
  const quarter = Math.floor(openFiles / 4);
  const keptFree = Math.min(Math.max(quarter, fewestFree), mostFree, Math.floor(openFiles / 2));
  const all = Math.min(limits.connections, openFiles - keptFree);
  const beforeLogin = Math.floor(all * shareBeforeLogin);
  const { connectionsOfAddress: ofAddress, readOfAddress } = limits;
  return { openFiles, keptFree, places: { all, beforeLogin, ofAddress, readOfAddress } };
}
