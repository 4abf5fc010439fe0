import { writeSync } from "node:fs";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../domain/errors.ts";
import type { ByteSource } from "../common/input-file.ts";

const charactersPerWrite = 256 * 1024;

/**
 * Lines on disk, for a source that can be read only once. The file is deleted before it is written to: it disappears with the
 * process, however that ends, and nobody else can open it.
 */
export class LineSpool {
  readonly #file: FileHandle;
  #waiting = "";
  #totalBytes = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(): Promise<LineSpool> {
    const directory = await mkdtemp(join(tmpdir(), "odograph-load-")).catch(cannotSpool);
    try {
      return new LineSpool(await open(join(directory, "lines"), "wx+", 0o600).catch(cannotSpool));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  add(line: string): void {
    this.#waiting += `${line}\n`;
    if (this.#waiting.length >= charactersPerWrite) this.#flush();
  }

  /** All lines so far, each under the number it was added as. */
  source(): ByteSource {
    this.#flush();
    const read = () => this.#file.createReadStream({ start: 0, autoClose: false });
    return { totalBytes: this.#totalBytes, read };
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #flush(): void {
    const bytes = new TextEncoder().encode(this.#waiting);
    this.#waiting = "";
    try {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#file.fd, bytes, done, bytes.length - done, this.#totalBytes + done);
      }
    } catch (error) {
      cannotSpool(error as NodeJS.ErrnoException);
    }
    this.#totalBytes += bytes.length;
  }
}

function cannotSpool(cause: NodeJS.ErrnoException): never {
  const reason = cause.code ?? cause.message;
  throw new Failure("FILE_UNREADABLE", `what was read cannot be stored in ${tmpdir()} (${reason})`, { cause });
}
