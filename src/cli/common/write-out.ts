import { type FileHandle, link, lstat, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "../../domain/errors.ts";
import { alreadyExists } from "../../store/sqlite/backup.ts";
import { flushDirectory } from "../../store/sqlite/flush.ts";
import { cannotBeWritten, writeFully } from "./output-file.ts";

type Lines = AsyncIterable<Readonly<Record<string, unknown>>>;

const maxUnwritten = 1 << 20;

/**
 * A new file of lines that only its owner may read. Until it is complete and on the disk it is called `FILE.part`: whatever
 * is called FILE is whole.
 */
export class NewFile {
  readonly path: string;
  readonly #part: string;
  readonly #file: FileHandle;
  #isPublished = false;
  #lines = 0;

  /** Refuses a name that is taken, and a place that cannot be written, before anything else is done. */
  static async open(path: string): Promise<NewFile> {
    return explained(path, async () => {
      const there = await lstat(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
      if (there !== null) throw alreadyExists(path);
      const part = `${path}.part`;
      // What an interrupted call has left.
      await rm(part, { force: true });
      return new NewFile(path, part, await open(part, "wx", 0o600));
    });
  }

  private constructor(path: string, part: string, file: FileHandle) {
    this.path = path;
    this.#part = part;
    this.#file = file;
  }

  get lines(): number {
    return this.#lines;
  }

  /** Writes these lines and no others, whatever was written before. Then the file has its name. */
  write(lines: Lines): Promise<void> {
    return explained(this.path, async () => {
      await this.#unpublish();
      await this.#file.truncate(0);
      let [unwritten, at] = ["", 0];
      const flush = async () => {
        const chunk = Buffer.from(unwritten);
        await writeFully(this.#file, chunk, at);
        at += chunk.length;
        unwritten = "";
      };
      this.#lines = 0;
      for await (const line of lines) {
        unwritten += `${JSON.stringify(line)}\n`;
        this.#lines++;
        if (unwritten.length >= maxUnwritten) await flush();
      }
      await flush();
      await this.#file.sync();
      await this.#publish();
    });
  }

  /** A file that is whole stays, whatever has failed since: nobody may know whether the rest is erased. */
  async close(): Promise<void> {
    await this.#file.close();
    await rm(this.#part, { force: true });
  }

  /** Never over another file. */
  async #publish(): Promise<void> {
    try {
      await link(this.#part, this.path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") throw alreadyExists(this.path);
      // Some file systems have no second names.
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP") throw error;
      await rename(this.#part, this.path);
    }
    this.#isPublished = true;
    await flushDirectory(dirname(this.path)).catch(() => {});
  }

  async #unpublish(): Promise<void> {
    if (this.#isPublished) await rm(this.path, { force: true });
    this.#isPublished = false;
  }
}

async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    // What the store says has a code, too.
    if (error instanceof Failure || typeof code !== "string" || typeof syscall !== "string") throw error;
    throw cannotBeWritten(path, error as NodeJS.ErrnoException);
  }
}
