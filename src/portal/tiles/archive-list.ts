import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** What is at a path now. */
export interface ArchiveList {
  readonly files: readonly ListedFile[];
  /** Changes when a file is added, removed or replaced, or may be read by others. */
  readonly fingerprint: string;
  /** Why there are no files, or not all of them. */
  readonly problem: string | null;
  /** Whether nobody has put anything there. */
  readonly isEmpty: boolean;
}

export interface ListedFile {
  readonly path: string;
  /** Changes when the file does. */
  readonly mark: string;
}

export const archiveEnding = ".pmtiles";

/** Each is an open file, and is asked for many tiles. A country is one archive. */
const maxArchives = 64;

/** The archive at the path, or those in the folder there. Never rejects. */
export async function listArchives(path: string): Promise<ArchiveList> {
  try {
    if (!(await stat(path)).isDirectory()) return await asList([path]);
    const names = (await readdir(path)).filter((name) => name.endsWith(archiveEnding)).sort();
    if (names.length === 0) return nothing(`the folder holds no ${archiveEnding} file`, true);
    const list = await asList(names.slice(0, maxArchives).map((name) => join(path, name)));
    if (names.length <= maxArchives) return list;
    const problem = `the folder holds more than ${maxArchives} ${archiveEnding} files: only the first ${maxArchives} by name are used`;
    return { ...list, fingerprint: `${list.fingerprint} and more`, problem };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return nothing("there is no such file or folder", true);
    return nothing(`it cannot be read (${code ?? error})`, false);
  }
}

async function asList(paths: readonly string[]): Promise<ArchiveList> {
  // One that is gone by now, or a link to nowhere, must not take the others with it.
  const states = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  const files = paths.map((path, index) => {
    const state = states[index];
    return { path, mark: JSON.stringify([path, state?.ino, state?.size, state?.mtimeMs, state?.ctimeMs]) };
  });
  return { files, fingerprint: files.map(({ mark }) => mark).join(), problem: null, isEmpty: false };
}

function nothing(problem: string, isEmpty: boolean): ArchiveList {
  return { files: [], fingerprint: problem, problem, isEmpty };
}
