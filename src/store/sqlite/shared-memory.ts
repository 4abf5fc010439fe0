import { dlopen, FFIType, type Pointer, toArrayBuffer } from "bun:ffi";
import { closeSync, openSync } from "node:fs";

interface Mapped {
  readonly file: number;
  readonly memory: ArrayBuffer;
  users: number;
}

/** By path. A file is mapped once in a process: see `letGo`. */
const mapped = new Map<string, Mapped>();

/**
 * The beginning of a file that SQLite has mapped as well, as it is at each moment; null where the platform does not give it.
 * It is only ever read.
 *
 * `Bun.mmap` would not do: it closes the file again, and with any closing of a file a process loses all its locks on
 * it, SQLite's among them (sqlite.org/howtocorrupt.html, 2.2).
 */
export function sharedMemory(path: string, bytes: number): ArrayBuffer | null {
  const known = mapped.get(path);
  if (known) {
    known.users++;
    return known.memory;
  }
  const map = memoryMapper();
  if (map === null) return null;
  const file = openSync(path, "r");
  const address = map(file, bytes);
  // Closing the file is no option from here on. It is left open until `letGo`, even if it could not be mapped.
  const memory = address === null ? null : toArrayBuffer(address, 0, bytes);
  if (memory) mapped.set(path, { file, memory, users: 1 });
  return memory;
}

/** To be called by each user, when it has no connection to the database any more. The last one closes the file. */
export function letGo(path: string): void {
  const known = mapped.get(path);
  if (!known || --known.users > 0) return;
  mapped.delete(path);
  // The memory stays mapped: a late look at it must not end the process.
  closeSync(known.file);
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

/** `mmap` of the C library, wherever that is. */
function memoryMapper(): MemoryMapper | null {
  for (const name of libraries) {
    try {
      const { mmap } = dlopen(name, signature).symbols;
      return (file, bytes) => {
        const address = mmap(null, bytes, readOnly, shared, file, 0);
        // What it says of a failure is no address at all.
        return typeof address === "number" && Number.isSafeInteger(address) && address > 0 ? address : null;
      };
    } catch {
      // Not this platform's.
    }
  }
  return null;
}
