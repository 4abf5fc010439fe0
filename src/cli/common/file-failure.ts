import { Failure } from "../../domain/errors.ts";

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
