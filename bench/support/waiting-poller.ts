import { readFileSync } from "node:fs";

/**
 * Polls in its own process until its input ends, then prints how long the longest answers took: those of `/v1/health` and
 * those of another account's key, one request of each at a time. On a shared machine most of a long wait may be due to
 * other programs, so it also prints how long the server's thread worked during the longest ones.
 */
interface Order {
  readonly port: number;
  readonly key: string;
  readonly pid: number;
}

export interface Waits {
  readonly healthMs: number;
  readonly pollMs: number;
  /** The most processor time of the answering thread during one answer. */
  readonly threadMs: number;
  readonly answers: number;
}

interface Longest {
  readonly waitMs: number;
  readonly threadMs: number;
  readonly count: number;
}

async function poll({ port, pid }: Order, request: string, isOver: () => boolean): Promise<Longest> {
  let [waitMs, threadMs, count, sentAt, threadAt] = [0, 0, 0, 0, 0];
  const ended = Promise.withResolvers<void>();
  const bytes = Buffer.from(request);
  const send = (socket: { write(bytes: Buffer): unknown; end(): unknown }) => {
    if (isOver()) {
      socket.end();
      ended.resolve();
      return;
    }
    sentAt = performance.now();
    threadAt = threadTime(pid);
    socket.write(bytes);
  };
  await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: send,
      // Both answers are small enough to come in one piece.
      data(socket) {
        // The first one also opens the connection.
        if (++count > 1) {
          waitMs = Math.max(waitMs, performance.now() - sentAt);
          threadMs = Math.max(threadMs, threadTime(pid) - threadAt);
        }
        // Not at full speed: the longest wait matters, not the number of answers.
        setTimeout(send, 1, socket);
      },
    },
  });
  await ended.promise;
  return { waitMs, threadMs, count };
}

if (import.meta.main) {
  const [line = "", rest] = await firstLine();
  const order = JSON.parse(line) as Order;
  let over = false;
  const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
  const polls = [
    poll(order, `${head("/v1/health")}\r\n`, () => over),
    poll(order, `${head("/v1/positions/latest")}X-API-Key: ${order.key}\r\n\r\n`, () => over),
  ];
  console.log("polling");
  await rest;
  over = true;
  const [health, latest] = await Promise.all(polls);
  const waits: Waits = {
    healthMs: health?.waitMs ?? 0,
    pollMs: latest?.waitMs ?? 0,
    threadMs: Math.max(health?.threadMs ?? 0, latest?.threadMs ?? 0),
    answers: (health?.count ?? 0) + (latest?.count ?? 0),
  };
  console.log(JSON.stringify(waits));
}

/** Processor time of the process's first thread, in milliseconds; Linux only. */
function threadTime(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

async function firstLine(): Promise<[string, Promise<void>]> {
  const input = process.stdin[Symbol.asyncIterator]();
  const first = await input.next();
  const rest = (async () => {
    for (;;) if ((await input.next()).done) return;
  })();
  return [String(first.value), rest];
}
