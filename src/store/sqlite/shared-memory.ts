import { dlopen, FFIType, type Pointer, toArrayBuffer } from "bun:ffi";
import { openSync } from "node:fs";

/**
 * The live beginning of a file that SQLite has mapped as well, read-only; null if the platform does not allow it.
 *
 * The file is never closed: closing any handle of a file releases all of the process's locks on it, including SQLite's
 * in every thread (sqlite.org/howtocorrupt.html, 2.2). So `Bun.mmap`, which closes it at once, cannot be used. The cost
 * is one open file for each database that a process has opened.
 */
export function sharedMemory(path: string, bytes: number): ArrayBuffer | null {
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
