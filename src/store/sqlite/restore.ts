import { constants, createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { Failure } from "../../domain/errors.ts";
import { requireReadable } from "../readable.ts";
import { plainSql } from "../sql.ts";
import { removeChecksum } from "./backup-checksum.ts";
import { asTransaction, SqliteConnection } from "./connection.ts";
import { explainSqliteError, isBusy } from "./errors.ts";
import { flushDirectory, flushFile } from "./flush.ts";
import { requireOurSchema } from "./known-schema.ts";
import { fileName } from "./open.ts";
import { holdServerLock } from "./server-lock.ts";

/** Made by the process that holds the directory. */
const lockFileName = "serve.lock";

export interface Restored {
  readonly accounts: number;
  readonly devices: number;
  /** The verified checksum; null: it has none, since another tool wrote it. */
  readonly sha256: string | null;
}

/**
 * Replaces the store with a backup. The backup is first copied next to it and checked, then swapped in atomically, so
 * there is always the old store or the new one. Nobody else may use the store meanwhile. If the backup is refused, the
 * directory is unchanged.
 */
export async function restoreSqlite(
  backup: string,
  directory: string,
  options: { readonly replace: boolean },
): Promise<Restored> {
  const unreadable = (cause: NodeJS.ErrnoException): never => {
    const reason = cause.code === "ENOENT" ? "is not there" : `cannot be read (${cause.code})`;
    throw new Failure("FILE_UNREADABLE", `the file ${backup} ${reason}`, { cause });
  };
  const found = await stat(backup).catch(unreadable);
  if (!found.isFile()) throw new Failure("FILE_UNREADABLE", `${backup} is not a file`);
  await access(backup, constants.R_OK).catch(unreadable);
  const target = join(directory, fileName);
  const isThere = await stat(target).then(
    () => true,
    () => false,
  );
  if (isThere && !options.replace) {
    throw new Failure("REFUSED", `there is a database in ${directory} already: --replace puts the backup in its place`);
  }
  const made = await makeDirectory(directory);
  try {
    return await putInPlace(backup, directory, isThere);
  } catch (error) {
    // Removes a directory that was not there before, unless another program uses it by now.
    if (made !== null && !(error instanceof Failure && error.code === "STORE_LOCKED")) {
      await rm(join(directory, lockFileName), { force: true });
      await removeEmpty(made, directory);
    }
    throw explainFileError(error, directory);
  }
}

async function putInPlace(backup: string, directory: string, isThere: boolean): Promise<Restored> {
  const target = join(directory, fileName);
  const letGo = holdServerLock(directory);
  const copy = join(directory, `restore-${crypto.randomUUID()}.db`);
  try {
    // Readable only by its own user from the first byte on: it contains password hashes.
    await pipeline(createReadStream(backup), createWriteStream(copy, { flags: "wx", mode: 0o600 }));
    const restored = await checked(copy, backup);
    await flushFile(copy);
    if (isThere) mergeLog(target);
    // A log left behind would be taken for the new file's own.
    for (const end of ["-wal", "-shm"]) await rm(`${target}${end}`, { force: true });
    await rename(copy, target);
    await flushDirectory(directory);
    return restored;
  } finally {
    for (const end of ["", "-wal", "-shm", "-journal"]) await rm(`${copy}${end}`, { force: true });
    letGo();
  }
}

/** Returns the first directory that had to be made; null: all existed. */
async function makeDirectory(directory: string): Promise<string | null> {
  try {
    return (await mkdir(directory, { recursive: true, mode: 0o700 })) ?? null;
  } catch (error) {
    throw explainFileError(error, directory);
  }
}

/** Removes the directories that were made, from the last up to the first. One that is in use meanwhile stays. */
async function removeEmpty(first: string, last: string): Promise<void> {
  for (let path = resolve(last); ; path = dirname(path)) {
    try {
      await rmdir(path);
    } catch {
      return;
    }
    if (path === resolve(first)) return;
  }
}

/** Checks that the copy is a store of ours and complete. Afterwards it is one file, without a log. */
async function checked(copy: string, backup: string): Promise<Restored> {
  try {
    const sha256 = await removeChecksum(copy, backup);
    return { ...(await inspect(copy, backup)), sha256 };
  } catch (error) {
    throw explainSqliteError(error, backup);
  }
}

async function inspect(copy: string, backup: string): Promise<Omit<Restored, "sha256">> {
  const connection = new SqliteConnection(copy, { readonly: false });
  try {
    connection.get(plainSql("pragma journal_mode = delete"));
    const version = requireOurSchema(connection, backup);
    const check = plainSql("pragma integrity_check(1)");
    const found = connection.get<{ integrity_check: string }>(check)?.integrity_check;
    if (found !== "ok") throw new Failure("STORE_CORRUPT", `the database ${backup} is corrupt`);
    await requireReadable(asTransaction(connection), version, { name: `the backup ${backup}`, isBackup: true });
    // Numbers of changes begin again at an earlier one: nobody may go on with those of the store before.
    connection.run(plainSql("delete from secrets where name = 'changes_epoch'"));
    const counts = connection.get<Omit<Restored, "sha256">>(
      plainSql("select (select count(*) from accounts) as accounts, (select count(*) from devices) as devices"),
    );
    return counts ?? { accounts: 0, devices: 0 };
  } finally {
    connection.close();
  }
}

/** Merges the log of the existing store into its file, for an exclusive user. A broken store need not be merged. */
function mergeLog(target: string): void {
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
