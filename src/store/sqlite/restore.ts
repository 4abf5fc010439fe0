import { constants } from "node:fs";
import { chmod, copyFile, mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../domain/errors.ts";
import { plainSql } from "../sql.ts";
import { flushToDisk } from "./backup.ts";
import { SqliteConnection } from "./connection.ts";
import { explainSqliteError, isBusy } from "./errors.ts";
import { requireOurSchema } from "./known-schema.ts";
import { fileName } from "./open.ts";
import { holdServerLock } from "./server-lock.ts";

/** What a backup was found to hold. */
export interface Restored {
  readonly accounts: number;
  readonly devices: number;
}

/**
 * Puts a backup in the place of the store. It is copied beside it and checked first; then it takes the place at once, so
 * that whatever happens there is the old store or the new one. Nobody else may use the store meanwhile.
 */
export async function restoreSqlite(
  backup: string,
  directory: string,
  options: { readonly replace: boolean },
): Promise<Restored> {
  const found = await stat(backup).catch(() => null);
  if (!found?.isFile()) throw new Failure("FILE_UNREADABLE", `the file ${backup} is not there`);
  const target = join(directory, fileName);
  const isThere = await stat(target).then(
    () => true,
    () => false,
  );
  if (isThere && !options.replace) {
    throw new Failure("REFUSED", `there is a database in ${directory} already: --replace puts the backup in its place`);
  }
  const letGo = await holdDirectory(directory);
  const copy = join(directory, `restore-${crypto.randomUUID()}.db`);
  try {
    await copyFile(backup, copy, constants.COPYFILE_EXCL);
    await chmod(copy, 0o600);
    const restored = checked(copy, backup);
    await flushToDisk(copy);
    if (isThere) foldIn(target);
    // A log that is left would be taken for the new file's own.
    for (const end of ["-wal", "-shm"]) await rm(`${target}${end}`, { force: true });
    await rename(copy, target);
    await flushToDisk(directory);
    return restored;
  } catch (error) {
    throw explainFileError(error, directory);
  } finally {
    for (const end of ["", "-wal", "-shm", "-journal"]) await rm(`${copy}${end}`, { force: true });
    letGo();
  }
}

/** Gives the function that lets it go. */
async function holdDirectory(directory: string): Promise<() => void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return holdServerLock(directory);
  } catch (error) {
    throw explainFileError(error, directory);
  }
}

/** Whether the copy is a store of ours, and whole. Afterwards it is one file, without a log beside it. */
function checked(copy: string, backup: string): Restored {
  try {
    return inspect(copy, backup);
  } catch (error) {
    throw explainSqliteError(error, backup);
  }
}

function inspect(copy: string, backup: string): Restored {
  const connection = new SqliteConnection(copy, { readonly: false });
  try {
    connection.get(plainSql("pragma journal_mode = delete"));
    requireOurSchema(connection, backup);
    const verdict = connection.get<{ quick_check: string }>(plainSql("pragma quick_check(1)"))?.quick_check;
    if (verdict !== "ok") throw new Failure("STORE_CORRUPT", `the database ${backup} is corrupt`);
    const counts = connection.get<Restored>(
      plainSql("select (select count(*) from accounts) as accounts, (select count(*) from devices) as devices"),
    );
    return counts ?? { accounts: 0, devices: 0 };
  } finally {
    connection.close();
  }
}

/**
 * Brings the log of the store that is there into its one file, so that it is complete up to the moment it is replaced.
 * SQLite does that only for one who is alone. A store that is broken cannot be brought in order, and need not be.
 */
function foldIn(target: string): void {
  let connection: SqliteConnection | null = null;
  try {
    connection = new SqliteConnection(target, { readonly: false });
    connection.get(plainSql("pragma journal_mode = delete"));
  } catch (error) {
    if (isBusy(error)) throw new Failure("STORE_LOCKED", `the database ${target} is in use by another process`);
  } finally {
    connection?.close();
  }
}

function explainFileError(error: unknown, directory: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof Failure || typeof code !== "string") return error;
  if (code === "ENOSPC") return new Failure("STORE_FULL", `${directory} cannot be written: the disk is full`);
  return new Failure("STORE_READ_ONLY", `the data directory ${directory} cannot be written (${code})`, {
    cause: error,
  });
}
