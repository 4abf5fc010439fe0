import { connect } from "node:net";

/**
 * Sends bytes as they are and gives back all that came, as Latin-1, when the other side closed the connection. With
 * `thenEnd` it learns that nothing more will follow, for what it might wait for otherwise.
 */
export function exchange(url: string, text: string, { thenEnd = false } = {}): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      if (thenEnd) socket.end(text, "latin1");
      else socket.write(text, "latin1");
    });
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    // A server that does not want the rest may reset the connection; what it said before counts.
    socket.on("error", () => {});
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
  });
}

/** The same, but what follows the first bytes of the answer is read only after `meanwhile`. */
export function exchangeSlowly(url: string, text: string, meanwhile: () => Promise<unknown>): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(text, "latin1"));
    socket.on("data", (chunk: Buffer) => {
      if (chunks.push(chunk) > 1) return;
      socket.pause();
      meanwhile().then(() => socket.resume(), reject);
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
  });
}

export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Whether the body is all there, by its length or its last chunk. */
  readonly isWhole: boolean;
}

/** The answers in what came. `heads` tells which of them answer a HEAD. */
export function responsesIn(text: string, heads: readonly number[] = []): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = text; rest.length > 0; ) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) throw new Error(`no response: ${JSON.stringify(rest.slice(0, 100))}`);
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
    const headers = new Map(
      lines.map((line): [string, string] => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 1).trim(),
      ]),
    );
    const { body, isWhole, length } = heads.includes(responses.length)
      ? { body: "", isWhole: true, length: 0 }
      : readBody(headers, rest.slice(end + 4));
    responses.push({ status: Number(first.split(" ")[1]), headers, body, isWhole });
    rest = rest.slice(end + 4 + length);
  }
  return responses;
}

function readBody(headers: ReadonlyMap<string, string>, text: string) {
  if (headers.get("transfer-encoding") !== "chunked") {
    const length = Number(headers.get("content-length") ?? 0);
    return { body: text.slice(0, length), isWhole: text.length >= length, length };
  }
  const parts: string[] = [];
  for (let at = 0; ; ) {
    const lineEnd = text.indexOf("\r\n", at);
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(text.slice(at, lineEnd), 16);
    const start = lineEnd + 2;
    const isWhole = size === 0;
    if (isWhole || !(start + size + 2 <= text.length)) {
      return { body: parts.join(""), isWhole, length: isWhole ? start + 2 : text.length };
    }
    parts.push(text.slice(start, start + size));
    at = start + size + 2;
  }
}
