import { connect, type Socket } from "node:net";

export interface WireRequest {
  readonly method: string;
  /** Path and query, as they are written on the wire. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

const answerMs = 60_000;

/** One connection that stays open, with one request at a time. Nothing is sent twice, as `fetch` may. */
export class Connection {
  #socket: Socket | null = null;
  #received: Buffer = Buffer.alloc(0);
  #answered: PromiseWithResolvers<WireAnswer> | null = null;

  constructor(
    readonly hostname: string,
    readonly port: number,
  ) {}

  get isOpen(): boolean {
    return this.#socket !== null;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  async exchange(request: WireRequest): Promise<WireAnswer> {
    this.#socket ??= this.#open();
    const answered = Promise.withResolvers<WireAnswer>();
    this.#answered = answered;
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
      const where = this.#received.length === 0 ? "without" : "within";
      this.#fail(new Error(`the connection was closed ${where} an answer`));
    });
    return socket;
  }

  #tryToRead(): void {
    const answer = this.#answered && this.#read();
    if (!answer) return;
    this.#answered?.resolve(answer);
    this.#answered = null;
    if (answer.headers.get("Connection") === "close") this.close();
  }

  #fail(error: Error): void {
    this.#answered?.reject(error);
    this.#answered = null;
  }

  /** Takes the first answer out of what came; null if it is not complete yet. */
  #read(): WireAnswer | null {
    const end = this.#received.indexOf("\r\n\r\n");
    if (end < 0) return null;
    const [statusLine = "", ...lines] = this.#received.toString("latin1", 0, end).split("\r\n");
    const status = Number(statusLine.split(" ")[1]);
    const headers = new Headers(lines.map((line) => line.split(/:\s*(.*)/s).slice(0, 2) as [string, string]));
    const rest = this.#received.subarray(end + 4);
    const framed = status === 304 ? { body: rest.subarray(0, 0), size: 0 } : framedBody(headers, rest);
    if (framed === null) return null;
    this.#received = Buffer.from(rest.subarray(framed.size));
    return { status, headers, body: Buffer.from(framed.body) };
  }
}

function wireBytes({ method, target, headers, body = "" }: WireRequest): Buffer {
  const bytes = Buffer.from(body as string);
  const lines = Object.entries({ Host: "odograph.test", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  if (method !== "GET") lines.push(`Content-Length: ${bytes.length}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"), bytes]);
}

interface FramedBody {
  readonly body: Buffer;
  /** Of the body on the wire. */
  readonly size: number;
}

function framedBody(headers: Headers, rest: Buffer): FramedBody | null {
  if (headers.get("Transfer-Encoding") === "chunked") return chunkedBody(rest);
  const size = Number(headers.get("Content-Length") ?? 0);
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
