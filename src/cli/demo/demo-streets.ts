import { rename } from "node:fs/promises";
import { join } from "node:path";
import { streetArchive } from "../../simulator/map/street-archive.ts";
import { streetsName } from "../serving/demo-state.ts";

/**
 * The archive of the demo's streets. It is made at each start, which takes less than a second, so that a newer program
 * draws newer streets. If nothing has changed the file stays, and with it what browsers have cached.
 */
export async function demoStreets(directory: string, seed: number): Promise<string> {
  const path = join(directory, streetsName);
  const made = streetArchive(seed);
  const known = Bun.file(path);
  if ((await known.exists()) && Bun.hash(await known.bytes()) === Bun.hash(made)) return path;
  // Whole or not at all: a server may be reading it.
  const written = `${path}.new`;
  await Bun.write(written, made);
  await rename(written, path);
  return path;
}
