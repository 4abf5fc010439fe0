// Archives whose bytes depend on their content alone: sorted, with one time for all, no owner, and compressed by code
// that gives the same on every machine (that of the system does not).
import { gunzipSync, gzipSync, unzipSync, zipSync } from "fflate";
import { extract, pack } from "tar-stream";

export interface ArchiveFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isProgram: boolean;
}

const programMode = 0o755;
const textMode = 0o644;
/** Of the file system that a zip's attributes are of: Unix, so that a mode is kept. */
const zipUnix = 3;

export async function tarGz(files: readonly ArchiveFile[], time: Date): Promise<Uint8Array> {
  const tar = pack();
  for (const { name, bytes, isProgram } of sorted(files)) {
    const mode = isProgram ? programMode : textMode;
    tar.entry({ name, mode, mtime: time, uid: 0, gid: 0 }, Buffer.from(bytes));
  }
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks), { mtime: time, level: 6 });
}

export function zip(files: readonly ArchiveFile[], time: Date): Uint8Array {
  const entries = sorted(files).map(({ name, bytes, isProgram }) => {
    const attrs = ((isProgram ? programMode : textMode) | 0o100000) << 16;
    return [name, [bytes, { mtime: dosTime(time), os: zipUnix, attrs }]] as const;
  });
  return zipSync(Object.fromEntries(entries) as never, { level: 6 });
}

/** The same archive, with nothing in it of the machine that made it. `isKept`: the files that stay. */
export async function tarGzAgain(
  archive: Uint8Array,
  time: Date,
  isKept: (name: string) => boolean = () => true,
): Promise<Uint8Array> {
  const files: ArchiveFile[] = [];
  const reader = extract();
  reader.end(Buffer.from(gunzipSync(archive)));
  for await (const entry of reader) {
    const { name, mode = textMode, type } = entry.header;
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    if (type === "file" && isKept(name))
      files.push({ name, bytes: Buffer.concat(chunks), isProgram: (mode & 0o100) !== 0 });
  }
  return await tarGz(files, time);
}

/** The same for a zip, as a wheel is one. */
export function zipAgain(archive: Uint8Array, time: Date): Uint8Array {
  const files = Object.entries(unzipSync(archive)).filter(([name]) => !name.endsWith("/"));
  return zip(
    files.map(([name, bytes]) => ({ name, bytes, isProgram: false })),
    time,
  );
}

function sorted(files: readonly ArchiveFile[]): ArchiveFile[] {
  return [...files].sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** A zip holds the local time of its maker. This one shows as the same digits everywhere. */
function dosTime(time: Date): Date {
  return new Date(time.getTime() + time.getTimezoneOffset() * 60_000);
}
