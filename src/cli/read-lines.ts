import { stat } from "node:fs/promises";
import { Failure } from "../domain/errors.ts";

/** No record is nearly as long; a file without line breaks must not fill the memory. */
const longestLineCharacters = 16 * 1024 * 1024;

/** Reads a UTF-8 file, or standard input for `-`, line by line, counted from 1. */
export async function readLines(
  path: string,
  onLine: (lineNumber: number, text: string) => void,
  onProgress: (doneBytes: number, totalBytes: number) => void,
): Promise<void> {
  const totalBytes = path === "-" ? Number.POSITIVE_INFINITY : await sizeOf(path);
  const source = path === "-" ? Bun.stdin.stream() : Bun.file(path).stream();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let lineNumber = 1;
  let rest = "";
  let doneBytes = 0;

  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new Failure("FLEET_FILE_INVALID", `line ${lineNumber} or soon after it: expected UTF-8`);
    }
  };
  const requireShort = (line: string): void => {
    if (line.length <= longestLineCharacters) return;
    throw new Failure("FLEET_FILE_INVALID", `line ${lineNumber}: expected at most ${longestLineCharacters} characters`);
  };
  const give = (line: string): void => {
    requireShort(line);
    onLine(lineNumber++, line);
  };
  for await (const chunk of readable(source, path)) {
    const lines = (rest + decode(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(lineNumber++, line);
    if (rest.length > longestLineCharacters) {
      throw new Failure(
        "FLEET_FILE_INVALID",
        `line ${lineNumber}: expected at most ${longestLineCharacters} characters`,
      );
    }
    doneBytes += chunk.byteLength;
    onProgress(doneBytes, totalBytes);
  }
  rest += decode();
  if (rest !== "") give(rest);
}

/** What goes wrong while a file is read is the file's fault, not ours. */
async function* readable(source: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  for (;;) {
    const next = await chunks.next().catch((cause: NodeJS.ErrnoException) => {
      throw new Failure("FILE_UNREADABLE", `${path} cannot be read (${cause.code ?? cause.message})`, { cause });
    });
    if (next.done) return;
    yield next.value;
  }
}

/** Infinite for what is not a plain file: a pipe does not say how long it is. */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((cause) => {
    const reason = cause.code === "ENOENT" ? "is not there" : `cannot be read (${cause.code})`;
    throw new Failure("FILE_UNREADABLE", `the file ${path} ${reason}`, { cause });
  });
  if (found.isDirectory()) throw new Failure("FILE_UNREADABLE", `${path} is a directory, not a file`);
  return found.isFile() ? found.size : Number.POSITIVE_INFINITY;
}
