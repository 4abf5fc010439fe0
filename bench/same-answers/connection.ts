import { connect, type Socket } from "node:net";

export interface WireRequest {
  readonly method: string;
  /** Path and query, as they are written on the wire. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface WireAnswer {
  readonly statusLine: string;
  readonly status: number;
  /** Header lines as they came, without those that say how the body is framed. */
  readonly lines: readonly string[];
  /** As it was sent: perhaps compressed, but not in chunks. */
  readonly body: Buffer;
}

/** The programs listen on different ports, and some answers name the host. */
const host = "odograph.test";
const answerMs = 60_000;

class ClosedUnanswered extends Error {
  override message = "the connection was closed without an answer";
}

/** One connection that stays open, with one request at a time. What it gives is what came over the wire. */
export class Connection {
  #socket: Socket | null = null;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { readonly read: () => WireAnswer | null; readonly answered: PromiseWithResolvers<WireAnswer> } | null =
    null;

  /** Without `sendsAgain`, every request that got no answer is a failure. */
  constructor(
    readonly hostname: string,
    readonly port: number,
    readonly sendsAgain = true,
  ) {}

  get isOpen(): boolean {
    return this.#socket !== null;
  }

  /** A server may close a connection between two requests; then the second of them is sent again on another. */
  async exchange(request: WireRequest): Promise<WireAnswer> {
    const mayBeSentAgain = this.sendsAgain && this.isOpen;
    try {
      return await this.#exchange(request);
    } catch (error) {
      if (!mayBeSentAgain || !(error instanceof ClosedUnanswered)) throw error;
      return this.#exchange(request);
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  async #exchange(request: WireRequest): Promise<WireAnswer> {
    this.#socket ??= this.#open();
    const answered = Promise.withResolvers<WireAnswer>();
    this.#waiting = { read: () => this.#read(request.method === "HEAD"), answered };
    this.#socket.write(wireBytes(request));
    const what = `${request.method} ${request.target}`;
    const timer = setTimeout(() => this.#fail(new Error(`${what}: no answer within ${answerMs} ms`)), answerMs);
    try {
      return await answered.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #open(): Socket {
    const socket = connect(this.port, this.hostname);
    socket.setNoDelay(true);
    this.#received = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      if (this.#socket !== socket) return;
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      this.#tryToRead();
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      const isUnanswered = this.#received.length === 0;
      this.#fail(isUnanswered ? new ClosedUnanswered() : new Error("the connection was closed within an answer"));
    });
    return socket;
  }

  #tryToRead(): void {
    const answer = this.#waiting?.read();
    if (!answer) return;
    this.#waiting?.answered.resolve(answer);
    this.#waiting = null;
    if (answer.lines.some((line) => /^connection: close$/i.test(line))) this.close();
  }

  #fail(error: Error): void {
    this.#waiting?.answered.reject(error);
    this.#waiting = null;
  }

  /** Takes the first answer out of what came; null if it is not complete yet. */
  #read(isHead: boolean): WireAnswer | null {
    const end = this.#received.indexOf("\r\n\r\n");
    if (end < 0) return null;
    const [statusLine = "", ...lines] = this.#received.toString("latin1", 0, end).split("\r\n");
    const status = Number(statusLine.split(" ")[1]);
    const rest = this.#received.subarray(end + 4);
    const framed =
      isHead || status === 204 || status === 304 ? { body: rest.subarray(0, 0), size: 0 } : framedBody(lines, rest);
    if (framed === null) return null;
    this.#received = Buffer.from(rest.subarray(framed.size));
    return { statusLine, status, lines, body: Buffer.from(framed.body) };
  }
}

function wireBytes({ method, target, headers, body = "" }: WireRequest): Buffer {
  const bytes = Buffer.from(body as string);
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  if (bytes.length > 0 || !/^(?:GET|HEAD|OPTIONS)$/.test(method)) lines.push(`Content-Length: ${bytes.length}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"), bytes]);
}

interface FramedBody {
  readonly body: Buffer;
  /** Of the body on the wire. */
  readonly size: number;
}

function framedBody(lines: readonly string[], rest: Buffer): FramedBody | null {
  const header = (name: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  if (header("transfer-encoding") === "chunked") return chunkedBody(rest);
  const size = Number(header("content-length") ?? 0);
  return rest.length < size ? null : { body: rest.subarray(0, size), size };
}

function chunkedBody(rest: Buffer): FramedBody | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = rest.indexOf("\r\n", at);
    if (end < 0) return null;
    const size = Number.parseInt(rest.toString("latin1", at, end), 16);
    const next = end + 2 + size + 2;
    if (rest.length < next) return null;
    if (size === 0) return { body: Buffer.concat(chunks), size: next };
    chunks.push(rest.subarray(end + 2, end + 2 + size));
    at = next;
  }
}
