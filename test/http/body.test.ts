import { afterAll, expect, test } from "bun:test";
import { connect } from "node:net";
import fc from "fast-check";
import { readBody } from "../../src/http/body.ts";
import { ByteBudget } from "../../src/http/byte-budget.ts";
import { lateBody } from "../../src/http/late-body.ts";
import { failureOf } from "../support/failures.ts";
import { forAll } from "../support/for-all.ts";

const maxBytes = 1024 * 1024;

/** What is taken of a budget that is large enough. */
function counted(budgetBytes = 100 * maxBytes) {
  const lease = new ByteBudget(budgetBytes).open("a");
  const taken = { bytes: 0 };
  const take = (bytes: number) => {
    lease.take(bytes);
    taken.bytes += bytes;
  };
  const require = (bytes: number) => lease.require(bytes);
  return { taken, bounds: { maxBytes, lease: { require, take, release: () => lease.release() } } };
}

function parts(sizes: Iterable<number>, end: "close" | "stay open" = "close"): ReadableStream<Uint8Array> {
  const left = sizes[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = left.next();
      if (!done) controller.enqueue(new Uint8Array(value).fill(value % 251));
      else if (end === "close") controller.close();
    },
  });
}

function upload(body: Bun.BodyInit, headers: Record<string, string> = {}): Request {
  return new Request("http://a.test/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

function* endless(size: number): Generator<number> {
  for (;;) yield size;
}

test("a body is read as it was sent, in parts of whatever size, and with or without a declared length", async () => {
  for (const sizes of [[], [0], [1], [300_000], [1, 0, 4096, 70_000, 3], Array.from({ length: 5_000 }, () => 1)]) {
    const sent = await new Response(parts(sizes)).bytes();
    for (const length of [null, String(sent.length)]) {
      const { bounds } = counted();
      const request = upload(parts(sizes), length === null ? {} : { "Content-Length": length });
      expect(Buffer.compare(await readBody(request, bounds), sent)).toBe(0);
    }
  }
  const { bounds } = counted();
  expect(await readBody(new Request("http://a.test/"), bounds)).toHaveLength(0);
});

test("a body that does not say its length is read no further than its bound", async () => {
  const { bounds } = counted();
  let read = 0;
  const request = upload(
    parts(
      (function* () {
        for (const size of endless(10_000)) {
          read += size;
          yield size;
        }
      })(),
    ),
  );
  expect(await failureOf(readBody(request, bounds))).toMatchObject({ code: "BODY_TOO_LARGE" });
  expect(read).toBeLessThan(maxBytes + 100_000);
});

test("what a body says of its length is refused at once if it is too large", async () => {
  const { taken, bounds } = counted();
  const request = upload(parts(endless(1)), { "Content-Length": String(maxBytes + 1) });
  expect(await failureOf(readBody(request, bounds))).toMatchObject({ code: "BODY_TOO_LARGE" });
  expect(taken.bytes).toBe(0);
});

test("a large body is counted as it arrives, a small one from the start", async () => {
  for (const [sent, declared, least, most] of [
    [10_000, 1_000_000, 10_000, 15_000],
    [10_000, null, 10_000, 15_000],
    [10_000, 20_000, 20_000, 20_000],
    // As single bytes, each an object of its own if nobody put them together.
    [1, 1_000_000, 1, 4_096],
  ] as const) {
    const { taken, bounds } = counted();
    const headers: Record<string, string> = declared === null ? {} : { "Content-Length": String(declared) };
    const reading = failureOf(readBody(upload(parts([sent], "stay open"), headers), { ...bounds, uploadMs: 50 }));
    expect(await reading).toMatchObject({ code: "BODY_TOO_SLOW" });
    expect(taken.bytes).toBeGreaterThanOrEqual(least);
    expect(taken.bytes).toBeLessThanOrEqual(most);
  }
});

test("where the budget is used up a body is refused, before it is read if its length is known", async () => {
  for (const [request, bytes] of [
    [upload(parts(endless(1)), { "Content-Length": "600000" }), 0],
    [upload(parts(endless(1)), { "Content-Length": "200001" }), 0],
  ] as const) {
    const { taken, bounds } = counted(400_000);
    expect(await failureOf(readBody(request, bounds))).toMatchObject({ code: "UNAVAILABLE" });
    expect(taken.bytes).toBe(bytes);
  }
  const { taken, bounds } = counted(400_000);
  expect(await failureOf(readBody(upload(parts(endless(1_000))), bounds))).toMatchObject({ code: "UNAVAILABLE" });
  expect(taken.bytes).toBeLessThanOrEqual(200_000);
});

test("what a compressed body unpacks to is bounded and counted, too", async () => {
  const gzip = { "Content-Encoding": "gzip" };
  const { taken, bounds } = counted();
  const packed = Bun.gzipSync(new Uint8Array(maxBytes));
  expect(await readBody(upload(packed, gzip), bounds)).toHaveLength(maxBytes);
  expect(taken.bytes).toBeGreaterThan(maxBytes);
  const bomb = upload(Bun.gzipSync(new Uint8Array(maxBytes + 1)), gzip);
  expect(await failureOf(readBody(bomb, counted().bounds))).toMatchObject({ code: "BODY_TOO_LARGE" });
  expect(await failureOf(readBody(upload(packed, gzip), counted(maxBytes).bounds))).toMatchObject({
    code: "UNAVAILABLE",
  });
  expect(await failureOf(readBody(upload("no", gzip), counted().bounds))).toMatchObject({ code: "INVALID_REQUEST" });
  const zstd = upload("x", { "Content-Encoding": "zstd" });
  expect(await failureOf(readBody(zstd, counted().bounds))).toMatchObject({ code: "INVALID_REQUEST" });
});

test("a client that breaks off is known for it, however it was sending", async () => {
  const ends: Promise<unknown>[] = [];
  const begun = Promise.withResolvers<void>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const reading = failureOf(readBody(request, counted().bounds));
      ends.push(reading);
      if (ends.length === 3) begun.resolve();
      await reading;
      return new Response();
    },
  });
  const sockets = ["Content-Length: 10", "Content-Length: 1000000", "Transfer-Encoding: chunked"].map((header) => {
    const socket = connect(server.port ?? 0, "127.0.0.1");
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n5\r\n`);
    return socket;
  });
  await begun.promise;
  for (const socket of sockets) socket.destroy();
  const gone = { code: "CLIENT_GONE" };
  expect(await Promise.all(ends)).toMatchObject([gone, gone, gone]);
  await server.stop(true);
});

const tooMany = expect.objectContaining({ code: "TOO_MANY_UPLOADS", headers: { "Retry-After": "5" } });

const overloaded = expect.objectContaining({ code: "UNAVAILABLE" });

test("one holder alone gets half of the budget, and another one still half of what is left", () => {
  const budget = new ByteBudget(1_000);
  const [greedy, more, other] = [budget.open("a"), budget.open("a"), budget.open("b")];
  greedy.take(400);
  more.take(100);
  expect(() => more.take(1)).toThrow(tooMany);
  expect(() => more.require(1)).toThrow(tooMany);
  other.take(250);
  // Its only upload is not too many: others are in its way.
  expect(() => other.take(1)).toThrow(overloaded);
});

test("one sender of a holder leaves room for a body of another, and none of this changes what others have", () => {
  const budget = new ByteBudget(1_000, 125);
  // As many small bodies as fit, however they are cut.
  for (let times = 0; times < 15; times++) budget.open("a", "one").take(25);
  expect(() => budget.open("a", "one").take(1)).toThrow(tooMany);
  budget.open("a", "two").take(125);
  expect(() => budget.open("a", "two").take(1)).toThrow(tooMany);
  expect(() => budget.open("a", "three").take(1)).toThrow(overloaded);
  // The same name elsewhere is another sender. It may have half of its account's part, which is small now.
  budget.open("b", "one").take(125);
  expect(() => budget.open("b", "one").take(1)).toThrow(tooMany);
  budget.open("b", "two").take(125);
});

test("what is released can be taken again, and asking takes nothing", () => {
  const budget = new ByteBudget(1_000);
  for (let times = 0; times < 3; times++) {
    const lease = budget.open("a");
    lease.require(500);
    lease.take(500);
    lease.release();
    lease.release();
  }
});

test("whatever others hold, there is room for another holder, and never more than the budget is held", () => {
  const taking = fc.record({ holder: fc.integer({ min: 0, max: 8 }), bytes: fc.integer({ min: 1, max: 400 }) });
  forAll(100, [fc.array(taking, { maxLength: 200 })], (takings) => {
    const budget = new ByteBudget(10_000);
    let held = 0;
    const holders = new Set<number>();
    for (const { holder, bytes } of takings) {
      try {
        budget.open(String(holder)).take(bytes);
        held += bytes;
        holders.add(holder);
      } catch (error) {
        expect([tooMany, overloaded]).toContainEqual(error);
      }
    }
    expect(held).toBeLessThanOrEqual(10_000);
    budget.open("a new sender").take(Math.floor(10_000 / (2 * (holders.size + 1))));
  });
});

const bytesOf = (length: number) => new TextEncoder().encode("0123456789".repeat(length / 10));

/** Answers after waiting, with as many bytes as the path says. */
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    const bytes = bytesOf(Number(new URL(request.url).pathname.slice(1)));
    // Once they are written, their memory is used for something else.
    const body = lateBody(bytes, () => bytes.fill(0));
    return new Response(body, { headers: { ETag: '"tag"', "Content-Type": "application/json" } });
  },
});

afterAll(() => server.stop(true));

test.each([10, 14_990, 15_000, 30_000, 1_000_000, 20_000_000])(
  "a late body of %d bytes comes whole, with its length",
  async (length) => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => fetch(`${server.url}${length}`)));
    for (const response of responses) {
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-length": String(length),
        "content-type": "application/json",
        etag: '"tag"',
      });
      expect(response.headers.has("transfer-encoding")).toBe(false);
      expect(Buffer.compare(await response.bytes(), bytesOf(length))).toBe(0);
    }
  },
);

test("it can be read without a server, too", async () => {
  expect(await new Response(lateBody(bytesOf(20_000))).text()).toBe("0123456789".repeat(2_000));
});
