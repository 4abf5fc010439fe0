/**
 * A load generator in its own process: some connections, each with one request at a time, for some seconds. It understands
 * just enough HTTP to find the end of an answer, so that it takes little time from the server.
 */
interface Order {
  readonly port: number;
  /** Sent in turn, so that no two answers in a row are the same. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Connection {
  pending: Buffer;
  sentAt: number;
}

const headEnd = Buffer.from("\r\n\r\n");

async function hammer({ port, requests, connections, seconds }: Order): Promise<LoadResult> {
  const turns = requests.map((request) => Buffer.from(request));
  let turn = 0;
  const next = () => turns[turn++ % turns.length] as Buffer;
  const latencies: number[] = [];
  const started = performance.now();
  const until = started + seconds * 1000;
  const sockets = await Promise.all(
    Array.from({ length: connections }, () => {
      const connection: Connection = { pending: Buffer.alloc(0), sentAt: performance.now() };
      return Bun.connect({
        hostname: "127.0.0.1",
        port,
        socket: {
          open: (socket) => void socket.write(next()),
          data(socket, chunk) {
            connection.pending = connection.pending.length ? Buffer.concat([connection.pending, chunk]) : chunk;
            const end = answerEnd(connection.pending);
            if (end === null || connection.pending.length < end) return;
            connection.pending = connection.pending.subarray(end);
            const now = performance.now();
            latencies.push(now - connection.sentAt);
            connection.sentAt = now;
            if (now < until) socket.write(next());
          },
        },
      });
    }),
  );
  await Bun.sleep(seconds * 1000 + 50);
  for (const socket of sockets) socket.end();
  latencies.sort((one, other) => one - other);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

const lastChunk = Buffer.from("0\r\n\r\n");

/** How many bytes the first answer has; null while that is not known. There is never a second one behind it. */
function answerEnd(bytes: Buffer): number | null {
  const head = bytes.indexOf(headEnd);
  if (head < 0) return null;
  const text = bytes.toString("latin1", 0, head);
  const status = text.slice(9, 12);
  if (status !== "200" && status !== "304") throw new Error(`the server answered ${text}`);
  if (/transfer-encoding: chunked/i.test(text)) {
    return bytes.subarray(-lastChunk.length).equals(lastChunk) ? bytes.length : null;
  }
  const length = status === "304" ? 0 : Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return head + headEnd.length + length;
}

if (import.meta.main) {
  console.log(JSON.stringify(await hammer(JSON.parse(await Bun.stdin.text()) as Order)));
}
