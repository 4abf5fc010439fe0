import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../domain/errors.ts";

/** What the demo stores between two starts. The key and the token belong to the demo's own account only. */
export interface DemoState {
  readonly seed: number;
  readonly vehicles: number;
  readonly days: number;
  /** The first moment of its history. */
  readonly from: number;
  readonly key: string;
  readonly token: string;
  /** From when on its history is stored. Null: it has not been served yet, or was made as a whole. */
  readonly historyFrom: number | null;
  /** Whether the whole history was stored. */
  readonly isComplete: boolean;
  /** Of the world. Absent: the first, of demos that 1.4.0 began. */
  readonly edition?: 1 | 2;
  /** Whether its people have made links, plans and notifications. */
  readonly isFurnished?: boolean;
}

const stateName = "demo.json";
/** Written first, and then renamed: a demo that is killed never leaves half of its state behind. */
const unfinishedName = "demo.json.new";
const fileOf = (directory: string) => join(directory, stateName);

export function isStoreIn(directory: string): Promise<boolean> {
  return Bun.file(join(directory, "odograph.db")).exists();
}

export async function readDemoState(directory: string): Promise<DemoState | null> {
  const text = await readFile(fileOf(directory), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw new Failure("FILE_UNREADABLE", `${fileOf(directory)} cannot be read (${error.code})`, { cause: error });
  });
  if (text === null) return null;
  try {
    // That of 1.4.0 does not say where its history begins.
    return { historyFrom: null, ...(JSON.parse(text) as Omit<DemoState, "historyFrom">) };
  } catch (error) {
    const message = `${fileOf(directory)} is damaged: create a new demo with --reset`;
    throw new Failure("FILE_UNREADABLE", message, { cause: error });
  }
}

export async function writeDemoState(directory: string, state: DemoState): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const unfinished = join(directory, unfinishedName);
    await writeFile(unfinished, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
    await rename(unfinished, fileOf(directory));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new Failure("STORE_READ_ONLY", `${directory} is not a directory`, { cause: error });
    throw new Failure("STORE_READ_ONLY", `the data directory ${directory} cannot be written (${code})`, {
      cause: error,
    });
  }
}

/** The demo's streets, made from its seed. */
export const streetsName = "streets.pmtiles";

/** Removes the demo's own files and nothing else. */
export async function removeDemo(directory: string): Promise<void> {
  for (const name of ["odograph.db", "odograph.db-wal", "odograph.db-shm", stateName, unfinishedName, streetsName]) {
    await rm(join(directory, name), { force: true });
  }
}
