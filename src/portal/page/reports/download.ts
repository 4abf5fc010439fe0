import { request } from "../api/request.ts";

/** The transfer ended before the file did. */
export class BrokenDownload extends Error {}

/** What has come is handed to the browser in pieces of this size, which it may put on disk. */
const pieceBytes = 4 * 1024 * 1024;

export interface DownloadedFile {
  readonly name: string;
  readonly content: Blob;
}

/** Downloads a file as a whole. A file that broke off is none: it throws. */
export async function downloadFile(
  path: string,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<DownloadedFile> {
  const response = await request(path, { signal });
  const type = response.headers.get("Content-Type") ?? "";
  const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "odograph";
  const pieces: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let part = await read(reader, signal); part !== null; part = await read(reader, signal)) {
    chunks.push(part);
    waiting += part.byteLength;
    bytes += part.byteLength;
    if (waiting >= pieceBytes) {
      pieces.push(new Blob(chunks));
      [chunks, waiting] = [[], 0];
    }
    onProgress(bytes);
  }
  return { name, content: new Blob([...pieces, ...chunks], { type }) };
}

/** Null at the end of the whole file. */
async function read(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined, signal: AbortSignal) {
  try {
    const { value, done } = (await reader?.read()) ?? { done: true };
    return done ? null : (value ?? null);
  } catch (cause) {
    signal.throwIfAborted();
    throw new BrokenDownload("", { cause });
  }
}

/** Gives the file to the browser, which saves it as it saves every download. */
export function saveFile({ name, content }: DownloadedFile): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
