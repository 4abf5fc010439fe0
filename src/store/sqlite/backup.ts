import { link, open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "../../domain/errors.ts";
import { requireKnownVersion } from "../readable.ts";
import { sql } from "../sql.ts";
import { addChecksum } from "./backup-checksum.ts";
import { SqliteConnection } from "./connection.ts";
import { explainSqliteError } from "./errors.ts";
import { flushDirectory, flushFile } from "./flush.ts";
import { requireOurSchema } from "./known-schema.ts";
import { fileName } from "./open.ts";

export interface Backup {
  readonly bytes: number;
  /** Over everything before it in the file. */
  readonly sha256: string;
}

/**
 * Writes a copy of the store as of one moment to a new file, while others read and write, with a checksum at its end.
 * The store itself is not touched, not even its schema: so a backup can be made before an upgrade.
 */
export async function backupSqlite(directory: string, target: string): Promise<Backup> {
  const source = join(directory, fileName);
  await requireFile(source, directory);
  if (await stat(target).catch(() => null)) throw alreadyExists(target);
  // Under another name until it is complete, readable only by its own user: it contains password hashes.
  const part = `${target}.${crypto.randomUUID()}.part`;
  try {
    await (await open(part, "wx", 0o600)).close();
    copyDatabase(source, part);
    const sha256 = await addChecksum(part);
    await flushFile(part);
    // A link, unlike a rename, never replaces an existing file.
    await link(part, target);
    await flushDirectory(dirname(target));
    return { bytes: (await stat(target)).size, sha256 };
  } catch (error) {
    throw explainFileError(error, target);
  } finally {
    // If it could not be made, it cannot be removed either.
    await rm(part, { force: true }).catch(() => {});
  }
}

function copyDatabase(source: string, target: string): void {
  try {
    const connection = new SqliteConnection(source, { readonly: true });
    try {
      connection.script("pragma busy_timeout = 5000");
      const version = requireOurSchema(connection, source);
      requireKnownVersion(version, { name: `the database ${source}`, isBackup: false });
      connection.run(sql`vacuum into ${target}`);
    } finally {
      connection.close();
    }
  } catch (error) {
    throw explainSqliteError(error, source);
  }
}

async function requireFile(path: string, directory: string): Promise<void> {
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return null;
    throw new Failure("FILE_UNREADABLE", `the data directory ${directory} cannot be read (${cause.code})`, { cause });
  });
  if (!found?.isFile()) throw new Failure("STORE_MISSING", `there is no database in ${directory}`);
}

export function alreadyExists(path: string): Failure {
  return new Failure("REFUSED", `${path} is there already, and is not overwritten`);
}

function explainFileError(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof Failure || typeof code !== "string") return error;
  if (code === "EEXIST") return alreadyExists(path);
  if (code === "ENOSPC") return new Failure("STORE_FULL", `${path} cannot be written: the disk is full`);
  return new Failure("FILE_UNREADABLE", `${path} cannot be written (${code})`, { cause: error });
}
