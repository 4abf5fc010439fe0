import { type FileHandle, link, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "../domain/errors.ts";
import { cannotBeWritten } from "./export-target.ts";

/**
 * Writes a file that holds secrets: only its owner may read it. It has another name until it is complete, so there is never
 * half a file. An existing one is left alone unless `replace` is set.
 */
export async function writePrivateFile<T>(
  path: string,
  { replace }: { readonly replace: boolean },
  work: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  await refuseOther(path, replace);
  const part = `${path}.${crypto.randomUUID()}.part`;
  try {
    const file = await open(part, "wx", 0o600);
    const result = await writtenTo(file, work);
    // A link, unlike a rename, never replaces a file that somebody else has made meanwhile.
    if (replace) await rename(part, path);
    else await link(part, path);
    await flushed(dirname(path));
    return result;
  } catch (error) {
    if (error instanceof Failure) throw error;
    const cause = error as NodeJS.ErrnoException;
    if (cause.code === "EEXIST") throw exists(path);
    throw cause.syscall === undefined ? error : cannotBeWritten(path, cause);
  } finally {
    // If it could not be made, it cannot be removed either.
    await rm(part, { force: true }).catch(() => {});
  }
}

async function writtenTo<T>(file: FileHandle, work: (write: (text: string) => Promise<void>) => Promise<T>) {
  try {
    const result = await work((text) => file.appendFile(text));
    await file.sync();
    return result;
  } finally {
    await file.close();
  }
}

async function refuseOther(path: string, replace: boolean): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null) return;
  if (!found.isFile()) throw new Failure("WRONG_CALL", `FILE: ${path} is not a file`);
  if (!replace) throw exists(path);
}

function exists(path: string): Failure {
  return new Failure("REFUSED", `${path} exists already; --force replaces it`);
}

/** So that the new name survives a power cut. */
async function flushed(directory: string): Promise<void> {
  const file = await open(directory, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
