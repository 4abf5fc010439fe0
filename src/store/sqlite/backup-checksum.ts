import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { Failure } from "../../domain/errors.ts";

/**
 * The checksum of a backup follows the database's last page, where SQLite does not look: any SQLite can read the file.
 * It is one line,
 *
 *     ⏎ odograph-backup-1 sha256 9f86d081…0f00a08 ⏎
 *
 * over all bytes before it. The header of the database says that there must be one, so that a truncated file is
 * recognised. A copy that another tool made, such as Litestream, has neither.
 */
const mark = "odograph-backup-1 sha256";
const trailerPattern = new RegExp(`^\\n${mark} ([0-9a-f]{64})\\n$`);
const trailerBytes = `\n${mark} ${"0".repeat(64)}\n`.length;

/** SQLite leaves this header field to applications. Ours says that a checksum follows. */
const applicationId = { at: 68, value: Buffer.from("Odog") } as const;
const headerBytes = 100;
const chunkBytes = 1 << 20;

export async function addChecksum(path: string): Promise<string> {
  const file = await open(path, "r+");
  try {
    await file.write(applicationId.value, 0, applicationId.value.length, applicationId.at);
    const { size } = await file.stat();
    const sha256 = await hashOf(file, size);
    await file.write(`\n${mark} ${sha256}\n`, size);
    return sha256;
  } finally {
    await file.close();
  }
}

/** Removes the checksum from a copy and returns it; null if there is none. `backup` is the name in the message. */
export async function removeChecksum(copy: string, backup: string): Promise<string | null> {
  const file = await open(copy, "r+");
  try {
    const { size } = await file.stat();
    const contentBytes = size - trailerBytes;
    const trailer = contentBytes > 0 ? (await bytesAt(file, contentBytes, trailerBytes)).toString("latin1") : "";
    const sha256 = trailerPattern.exec(trailer)?.[1] ?? null;
    if (sha256 === null) {
      await requireNoneExpected(file, size, backup);
      return null;
    }
    if ((await hashOf(file, contentBytes)) !== sha256) {
      throw damaged(backup, "its content is not what its checksum is of");
    }
    await file.truncate(contentBytes);
    // A store is no backup: a plain copy of it has no checksum, and need not have one.
    await file.write(Buffer.alloc(applicationId.value.length), 0, applicationId.value.length, applicationId.at);
    return sha256;
  } finally {
    await file.close();
  }
}

/** A copy that another tool made ends with its last page. Any other file has lost its checksum, or part of it. */
async function requireNoneExpected(file: FileHandle, size: number, backup: string): Promise<void> {
  const header = await bytesAt(file, 0, headerBytes);
  // Too short, or no database at all: SQLite says so.
  if (header.length < headerBytes || !header.toString("latin1").startsWith("SQLite format 3\0")) return;
  const stated = header.readUInt16BE(16);
  const pageBytes = stated === 1 ? 65_536 : stated;
  // The page count is valid if it was written with the last change; otherwise SQLite uses the size of the file, too.
  const isCounted = header.subarray(24, 28).equals(header.subarray(92, 96));
  const whole = isCounted ? header.readUInt32BE(28) * pageBytes : size;
  const isMarked = header.subarray(applicationId.at, applicationId.at + 4).equals(applicationId.value);
  if (size < whole) throw damaged(backup, `it is cut short: ${size} of ${whole} bytes are there`);
  if (isMarked || size > whole) throw damaged(backup, "its checksum is missing or damaged");
}

function damaged(backup: string, reason: string): Failure {
  return new Failure("STORE_CORRUPT", `the backup ${backup} is damaged, and nothing was restored: ${reason}`);
}

async function hashOf(file: FileHandle, bytes: number): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes; ) {
    const part = await bytesAt(file, at, Math.min(chunkBytes, bytes - at));
    if (part.length === 0) break;
    hash.update(part);
    at += part.length;
  }
  return hash.digest("hex");
}

async function bytesAt(file: FileHandle, at: number, count: number): Promise<Buffer> {
  const buffer = Buffer.alloc(count);
  const { bytesRead } = await file.read(buffer, 0, count, at);
  return buffer.subarray(0, bytesRead);
}
