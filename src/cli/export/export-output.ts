import { once } from "node:events";
import { type FileHandle, open, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import type { ExportPlace } from "../../api/export/pages.ts";
import { Failure } from "../../domain/errors.ts";
import { cannotBeWritten, writeFully } from "../common/output-file.ts";

/** What an interrupted export needs to go on. */
export interface ExportState {
  /** The options of the call: another call is another export. */
  readonly call: Readonly<Record<string, string>>;
  /** When it began: the end of its window, unless that is named. */
  readonly now: number;
  readonly place: ExportPlace;
  /** How much of the file is right. */
  readonly bytes: number;
  readonly records: number;
  /** As of the document's writer. */
  readonly hasRecords: boolean;
}

export interface ExportOutput {
  write(text: string): Promise<void>;
  /** Everything so far can be continued from here. It is not done each time, unless it must be. */
  save(state: Omit<ExportState, "bytes">, isRequired?: boolean): Promise<void>;
  finish(): Promise<void>;
  /** Leaves it as it is, or nothing if there is nothing to continue. */
  close(): Promise<void>;
  /** Whether `save` does anything. */
  readonly canBeContinued: boolean;
}

/** Standard output. What is written there is gone, so it cannot be continued. */
export function standardOutput(): ExportOutput {
  return passedOn(
    async (text) => {
      if (!process.stdout.write(text)) await once(process.stdout, "drain");
    },
    async () => {},
  );
}

/** A device or a pipe. Like standard output, it cannot be continued. */
export async function directOutput(path: string): Promise<ExportOutput> {
  const file = await opened(path, "w");
  const write = (text: string) =>
    writeFully(file, Buffer.from(text), null).catch((cause) => {
      throw cannotBeWritten(path, cause);
    });
  return passedOn(write, () => file.close());
}

function passedOn(write: ExportOutput["write"], close: ExportOutput["close"]): ExportOutput {
  const nothing = async () => {};
  return { write, save: nothing, finish: nothing, close, canBeContinued: false };
}

/** Where vehicles were is for nobody but the person who exports it. */
const mode = 0o600;

const partOf = (path: string) => `${path}.part`;
const convertedOf = (path: string) => `${path}.part.converted`;
const stateOf = (path: string) => `${path}.part.json`;

/** Saving waits for the disk. */
const saveEveryMs = 1_000;

/**
 * A file. Until it is complete it has another name, `FILE.part`, and `FILE.part.json` says how to go on. A power cut or a kill
 * may leave more in the first than the second knows of; that is cut off. `convert` makes the file from what was written, for a
 * format that cannot be continued.
 */
export async function fileOutput(
  path: string,
  continued: ExportState | null,
  convert: ((from: string, to: string) => Promise<void>) | null,
): Promise<ExportOutput> {
  const file = await (continued === null ? newFile(partOf(path)) : ownFile(partOf(path)));
  let bytes = continued?.bytes ?? 0;
  if (continued !== null) {
    if ((await file.stat()).size < bytes) {
      throw new Failure("FILE_UNREADABLE", `${partOf(path)} is shorter than it was: export again without --resume`);
    }
    await file.truncate(bytes);
  }
  let lastSaved = Number.NEGATIVE_INFINITY;
  /** The disk may be full, and an unfinished file may have been replaced by something else. */
  const written = <T>(work: Promise<T>): Promise<T> =>
    work.catch((cause: NodeJS.ErrnoException) => {
      throw cause instanceof Failure || cause.syscall === undefined ? cause : cannotBeWritten(path, cause);
    });
  const writeChunk = async (chunk: Buffer) => {
    await writeFully(file, chunk, bytes);
    bytes += chunk.length;
  };
  const saveState = async (state: Omit<ExportState, "bytes">) => {
    await file.sync();
    await writeFile(`${stateOf(path)}.new`, JSON.stringify({ ...state, bytes }), { mode });
    await rename(`${stateOf(path)}.new`, stateOf(path));
    lastSaved = performance.now();
  };
  const complete = async () => {
    await file.sync();
    await file.close();
    if (convert) {
      await rm(convertedOf(path), { force: true });
      // Nobody else may read it from its first byte on.
      await writeFile(convertedOf(path), "", { mode });
      await convert(partOf(path), convertedOf(path));
    }
    await rename(convert ? convertedOf(path) : partOf(path), path);
    await Promise.all([partOf(path), stateOf(path)].map((left) => rm(left, { force: true })));
  };
  return {
    write: (text) => written(writeChunk(Buffer.from(text))),
    async save(state, isRequired = false) {
      if (isRequired || performance.now() - lastSaved >= saveEveryMs) await written(saveState(state));
    },
    finish: () => written(complete()),
    async close() {
      await file.close();
      if (lastSaved === Number.NEGATIVE_INFINITY && continued === null) await rm(partOf(path), { force: true });
    },
    canBeContinued: true,
  };
}

async function opened(path: string, flags: "w" | "wx" | "r+"): Promise<FileHandle> {
  return open(path, flags, mode).catch((cause: NodeJS.ErrnoException) => {
    throw cannotBeWritten(path, cause);
  });
}

/** In place of what was left there, which may belong to another user. */
async function newFile(path: string): Promise<FileHandle> {
  await unlink(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "ENOENT") throw cannotBeWritten(path, cause);
  });
  return opened(path, "wx");
}

/** A file that is there already may be readable for everyone. */
async function ownFile(path: string): Promise<FileHandle> {
  const file = await opened(path, "r+");
  await file.chmod(mode).catch(async (cause: NodeJS.ErrnoException) => {
    await file.close();
    throw cannotBeWritten(path, cause);
  });
  return file;
}

/** The state of the interrupted export of this file. */
export async function readExportState(path: string): Promise<ExportState> {
  const text = await readFile(stateOf(path), "utf8").catch((cause) => {
    throw new Failure("FILE_UNREADABLE", `there is no interrupted export of ${path}`, { cause });
  });
  try {
    return JSON.parse(text) as ExportState;
  } catch (cause) {
    throw new Failure("FILE_UNREADABLE", `${stateOf(path)} is not what an export wrote`, { cause });
  }
}
