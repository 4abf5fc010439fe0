import { open } from "node:fs/promises";

/** Afterwards the content survives a power cut. Windows wants a file that may be written. */
export function flushFile(path: string): Promise<void> {
  return flushOpenedAs("r+", path);
}

/** Afterwards the names in it survive a power cut. Windows has no such call: NTFS writes names to its own log. */
export async function flushDirectory(path: string): Promise<void> {
  if (process.platform !== "win32") await flushOpenedAs("r", path);
}

async function flushOpenedAs(flags: string, path: string): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
