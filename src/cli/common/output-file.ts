import { type FileHandle, lstat, readlink, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Failure } from "../../domain/errors.ts";

/** What `--output` names. */
export interface ExportTarget {
  /** Of the file itself, if a symbolic link was named. */
  readonly path: string;
  /** A device or a pipe cannot be replaced by a finished file, nor continued. It is written as it is. */
  readonly isDirect: boolean;
}

/** Looks at the target before anything is read or written. */
export async function exportTarget(named: string): Promise<ExportTarget> {
  const found = await stat(named).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return null;
    throw cannotBeWritten(named, cause);
  });
  if (found === null) return { path: await endOfLinks(named), isDirect: false };
  if (found.isDirectory()) throw new Failure("WRONG_CALL", `--output: expected a file, ${named} is a directory`);
  return found.isFile() ? { path: await realpath(named), isDirect: false } : { path: named, isDirect: true };
}

/** A link may point to a file that is not there yet. Links in a circle never come here: looking at them fails. */
async function endOfLinks(path: string): Promise<string> {
  const link = await lstat(path).catch(() => null);
  return link?.isSymbolicLink() ? endOfLinks(resolve(dirname(path), await readlink(path))) : path;
}

export function cannotBeWritten(path: string, cause: NodeJS.ErrnoException): Failure {
  return new Failure("FILE_UNREADABLE", `${path} cannot be written (${cause.code})`, { cause });
}

/**
 * What the system says about a file is a problem of that file, not an internal error, wherever it comes up. Null for any
 * other error. Commands that know what they wanted with the file say it themselves.
 */
export function fileFailure(error: unknown): Failure | null {
  const { code, syscall, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return null;
  if (code === "ENOSPC")
    return new Failure("FILE_UNREADABLE", `${path ?? "a file"} cannot be written: the disk is full`);
  return path === undefined
    ? null
    : new Failure("FILE_UNREADABLE", `${path} cannot be used (${code})`, { cause: error });
}

/** `at`: null for a device or a pipe, which has no positions. */
export async function writeFully(file: FileHandle, chunk: Uint8Array, at: number | null): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const position = at === null ? null : at + done;
    done += (await file.write(chunk, done, chunk.length - done, position)).bytesWritten;
  }
}
