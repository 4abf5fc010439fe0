import { type FileHandle, open } from "node:fs/promises";
import type { RangeResponse, Source } from "pmtiles";
import { maxTileBytes, tooLarge } from "./decompress.ts";
import { UnfitArchive } from "./unfit-archive.ts";

/**
 * Pieces of a file, which stays open: what is put in its place under the same name is another file. It is never read as a
 * whole.
 */
export class ArchiveFile implements Source {
  readonly #handle: FileHandle;
  readonly #key: string;
  /** How large it was when it was opened. */
  readonly bytes: number;
  #reads = 0;
  #isClosing = false;
  #isClosed = false;

  private constructor(handle: FileHandle, key: string, bytes: number) {
    this.#handle = handle;
    this.#key = key;
    this.bytes = bytes;
  }

  static async open(path: string): Promise<ArchiveFile> {
    const handle = await open(path, "r");
    const { size } = await handle.stat();
    return new ArchiveFile(handle, path, size);
  }

  getKey(): string {
    return this.#key;
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    // The first read asks for more than a small archive has.
    const wanted = offset === 0 ? Math.min(length, this.bytes) : length;
    // A damaged archive must not make us take memory. Nothing in it is larger than a tile.
    if (wanted > maxTileBytes) throw tooLarge();
    if (offset + wanted > this.bytes) throw endsTooEarly();
    this.#reads++;
    try {
      const piece = new Uint8Array(wanted);
      const { bytesRead } = await this.#handle.read(piece, 0, wanted, offset);
      if (bytesRead < wanted) throw endsTooEarly();
      return { data: piece.buffer };
    } finally {
      this.#reads--;
      await this.#closeIfIdle();
    }
  }

  /** After the reads in progress. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#closeIfIdle();
  }

  async #closeIfIdle(): Promise<void> {
    if (!this.#isClosing || this.#isClosed || this.#reads > 0) return;
    this.#isClosed = true;
    await this.#handle.close();
  }
}

export function endsTooEarly(): Error {
  return new UnfitArchive("cut_off", "it ends too early");
}
