import { connect } from "node:net";

/**
 * Sends bytes as they are and gives back all that came, as Latin-1, when the other side closed the connection. With
 * `thenEnd` it is told that nothing more will follow, for what it might wait for otherwise.
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

export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The answers in what came, by their `Content-Length`. `heads` tells which of them answer a HEAD. */
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
    const length = heads.includes(responses.length) ? 0 : Number(headers.get("content-length") ?? 0);
    const bodyStart = end + 4;
    responses.push({
      status: Number(first.split(" ")[1]),
      headers,
      body: rest.slice(bodyStart, bodyStart + length),
    });
    rest = rest.slice(bodyStart + length);
  }
  return responses;
}
