import { dlopen, FFIType, type Pointer, toArrayBuffer } from "bun:ffi";
import { openSync } from "node:fs";

/** The header of the WAL index as 32-bit words (sqlite.org/walformat.html), and those that change with each commit. */
const headerBytes = 48;
const words = { commits: 2, lastFrame: 4, checksumOne: 6, checksumTwo: 7, saltOne: 8, saltTwo: 9 };
const changingWords = Object.values(words);

/**
 * Shows whether anything was committed, by any connection of any process, without asking SQLite.
 *
 * All connections share the WAL index, the file beside the database whose name ends in `-shm`. A commit becomes visible
 * to readers by its header, which counts commits and holds a checksum of all that is in the log: the database is
 * unchanged exactly as long as the header is. A header read half-written equals neither the old nor the new one, and
 * only causes one more read. Reading it takes nanoseconds, the shortest query microseconds.
 */
export class CommitStamp {
  readonly #header: Uint32Array | null;
  readonly #seen = new Uint32Array(headerBytes / Uint32Array.BYTES_PER_ELEMENT);
  #count = 0;

  /** Call it once a connection has the database open and has read from it. */
  constructor(databasePath: string) {
    const memory = sharedMemory(`${databasePath}-shm`, headerBytes);
    this.#header = memory && new Uint32Array(memory);
  }

  read(): number | null {
    const header = this.#header;
    if (header === null) return null;
    const seen = this.#seen;
    for (let index = 0; index < changingWords.length; index++) {
      const word = changingWords[index] as number;
      if (header[word] === seen[word]) continue;
      seen.set(header);
      return ++this.#count;
    }
    return this.#count;
  }
}

/**
 * The live beginning of a file that SQLite has mapped as well, read-only; null if the platform does not allow it.
 *
 * The file is never closed: closing any handle of a file releases all of the process's locks on it, including SQLite's
 * in every thread (sqlite.org/howtocorrupt.html, 2.2). So `Bun.mmap`, which closes it at once, cannot be used. The cost
 * is one open file for each database that a process has opened.
 */
function sharedMemory(path: string, bytes: number): ArrayBuffer | null {
  const map = memoryMapper();
  const file = map && openIfThere(path);
  const address = map && file !== null ? map(file, bytes) : null;
  return address === null ? null : toArrayBuffer(address, 0, bytes);
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch {
    return null;
  }
}

type MemoryMapper = (file: number, bytes: number) => Pointer | null;

const libraries = [
  "libc.so.6",
  `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`,
  "libSystem.B.dylib",
];
const { ptr, u64, i32, i64 } = FFIType;
const signature = { mmap: { args: [ptr, u64, i32, i32, i32, i64], returns: ptr } } as const;
const [readOnly, shared] = [1, 1];

/** `mmap` of the C library, wherever it is found. */
function memoryMapper(): MemoryMapper | null {
  for (const name of libraries) {
    try {
      const { mmap } = dlopen(name, signature).symbols;
      return (file, bytes) => {
        const address = mmap(null, bytes, readOnly, shared, file, 0);
        // On failure it returns no address.
        return typeof address === "number" && Number.isSafeInteger(address) && address > 0 ? address : null;
      };
    } catch {
      // Not this platform's.
    }
  }
  return null;
}
