import { type FileHandle, link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Failure } from "../../domain/errors.ts";
import { flushDirectory } from "../../store/sqlite/flush.ts";
import { cannotBeWritten } from "./output-file.ts";

/**
 * Writes a file that holds secrets: only its owner may read it. It has another name until it is complete, so there is never
 * half a file. An existing one is left alone unless `replace` is set. What an earlier call left behind because it was killed goes.
 */
export async function writePrivateFile<T>(
  path: string,
  { replace }: { readonly replace: boolean },
  work: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  await refuseOther(path, replace);
  const part = `${path}.${crypto.randomUUID()}.part`;
  await removeLeftovers(path);
  try {
    const file = await open(part, "wx", 0o600);
    const result = await writtenTo(file, work);
    // A link, unlike a rename, never replaces a file that was made meanwhile.
    if (replace) await rename(part, path);
    else await link(part, path);
    await flushDirectory(dirname(path));
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

/**
 * Each call has a name of its own for its unfinished file, so none ever completes that of another. If two write the same file
 * at the same time, the first finds its own gone, and fails.
 */
async function removeLeftovers(path: string): Promise<void> {
  const directory = dirname(path);
  const ids = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const [before, after] = [`${basename(path)}.`, ".part"];
  // If the directory cannot be read, writing to it says why.
  for (const name of await readdir(directory).catch(() => [])) {
    const isPart = name.startsWith(before) && name.endsWith(after);
    if (!isPart || !ids.test(name.slice(before.length, -after.length))) continue;
    await rm(join(directory, name), { force: true }).catch(() => {});
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
