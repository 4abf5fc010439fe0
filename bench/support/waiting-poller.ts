/**
 * Polls in a process of its own until its input ends, and then tells how long the longest answers took: those of
 * `/v1/health` and those of another account's key. One request of each is under way at any time.
 */
interface Order {
  readonly port: number;
  readonly key: string;
}

export interface Waits {
  readonly healthMs: number;
  readonly pollMs: number;
  readonly answers: number;
}

async function poll(port: number, request: string, isOver: () => boolean): Promise<{ longest: number; count: number }> {
  let [longest, count, sentAt] = [0, 0, 0];
  const ended = Promise.withResolvers<void>();
  const bytes = Buffer.from(request);
  const send = (socket: { write(bytes: Buffer): unknown; end(): unknown }) => {
    if (isOver()) {
      socket.end();
      ended.resolve();
      return;
    }
    sentAt = performance.now();
    socket.write(bytes);
  };
  await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: send,
      // Both answers are small enough to come in one piece.
      data(socket) {
        longest = Math.max(longest, performance.now() - sentAt);
        // Not as fast as it goes: the longest wait is looked for, not the most answers.
        if (++count === 1) longest = 0;
        setTimeout(send, 1, socket);
      },
    },
  });
  await ended.promise;
  return { longest, count };
}

if (import.meta.main) {
  const [line = "", rest] = await firstLine();
  const { port, key } = JSON.parse(line) as Order;
  let over = false;
  const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
  const polls = [
    poll(port, `${head("/v1/health")}\r\n`, () => over),
    poll(port, `${head("/v1/positions/latest")}X-API-Key: ${key}\r\n\r\n`, () => over),
  ];
  console.log("polling");
  await rest;
  over = true;
  const [health, latest] = await Promise.all(polls);
  const waits: Waits = {
    healthMs: health?.longest ?? 0,
    pollMs: latest?.longest ?? 0,
    answers: (health?.count ?? 0) + (latest?.count ?? 0),
  };
  console.log(JSON.stringify(waits));
}

async function firstLine(): Promise<[string, Promise<void>]> {
  const input = process.stdin[Symbol.asyncIterator]();
  const first = await input.next();
  const rest = (async () => {
    for (;;) if ((await input.next()).done) return;
  })();
  return [String(first.value), rest];
}
