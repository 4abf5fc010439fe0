import { afterAll, expect, test } from "bun:test";
import { lateBody } from "../../src/http/late-body.ts";

const bytesOf = (length: number) => new TextEncoder().encode("0123456789".repeat(length / 10));

/** Answers after waiting, with as many bytes as the path says. */
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    const bytes = bytesOf(Number(new URL(request.url).pathname.slice(1)));
    return new Response(lateBody(bytes), { headers: { ETag: '"tag"', "Content-Type": "application/json" } });
  },
});

afterAll(() => server.stop(true));

test.each([10, 14_990, 15_000, 30_000, 1_000_000])(
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
