import { stat } from "node:fs/promises";
import { Failure } from "../../domain/errors.ts";

/** Bytes that a command reads in pieces. */
export interface ByteSource {
  /** Infinite if it is not known, as for a pipe. */
  readonly totalBytes: number;
  read(): AsyncIterable<Uint8Array>;
}

export interface InputFile extends ByteSource {
  /** Whether it can be read a second time. A pipe cannot. */
  readonly isRepeatable: boolean;
}

/** The file of this name, or standard input for `-`. */
export async function inputFile(path: string): Promise<InputFile> {
  if (path === "-") {
    const read = () => readable(() => Bun.stdin.stream(), path);
    return { totalBytes: Number.POSITIVE_INFINITY, isRepeatable: false, read };
  }
  const found = await stat(path).catch((cause) => {
    const reason = cause.code === "ENOENT" ? "is not there" : `cannot be read (${cause.code})`;
    throw new Failure("FILE_UNREADABLE", `the file ${path} ${reason}`, { cause });
  });
  if (found.isDirectory()) throw new Failure("FILE_UNREADABLE", `${path} is a directory, not a file`);
  const isRepeatable = found.isFile();
  return {
    totalBytes: isRepeatable ? found.size : Number.POSITIVE_INFINITY,
    isRepeatable,
    read: () => readable(() => Bun.file(path).stream(), path),
  };
}

/** An error while opening or reading is a problem of the file, not an internal error. */
async function* readable(open: () => AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  const named = (cause: NodeJS.ErrnoException) =>
    new Failure("FILE_UNREADABLE", `${path} cannot be read (${cause.code ?? cause.message})`, { cause });
  let chunks: AsyncIterator<Uint8Array>;
  try {
    chunks = open()[Symbol.asyncIterator]();
  } catch (cause) {
    throw named(cause as NodeJS.ErrnoException);
  }
  for (;;) {
    const next = await chunks.next().catch((cause) => {
      throw named(cause);
    });
    if (next.done) return;
    yield next.value;
  }
}
