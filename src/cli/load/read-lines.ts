import { Failure } from "../../domain/errors.ts";
import type { ByteSource } from "../common/input-file.ts";

/** No record is nearly as long; a file without line breaks must not fill the memory. */
const maxLineCharacters = 16 * 1024 * 1024;

export interface LineBlock {
  /** The number of the first, counted from 1. */
  readonly first: number;
  readonly texts: readonly string[];
}

/** The lines of UTF-8 text, in blocks as its bytes arrive. */
export async function* readLines(
  source: ByteSource,
  onProgress: (doneBytes: number, totalBytes: number) => void = () => {},
): AsyncGenerator<LineBlock> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let first = 1;
  let rest = "";
  let doneBytes = 0;

  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new Failure("FLEET_FILE_INVALID", `line ${first} or soon after it: expected UTF-8`);
    }
  };
  const requireShort = (line: string, number: number): void => {
    if (line.length <= maxLineCharacters) return;
    throw new Failure("FLEET_FILE_INVALID", `line ${number}: expected at most ${maxLineCharacters} characters`);
  };
  for await (const chunk of source.read()) {
    const texts = (rest + decode(chunk)).split("\n");
    rest = texts.pop() ?? "";
    for (const [index, text] of texts.entries()) requireShort(text, first + index);
    if (texts.length > 0) yield { first, texts };
    first += texts.length;
    requireShort(rest, first);
    doneBytes += chunk.byteLength;
    onProgress(doneBytes, source.totalBytes);
  }
  rest += decode();
  requireShort(rest, first);
  if (rest !== "") yield { first, texts: [rest] };
}
