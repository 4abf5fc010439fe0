import { afterEach, expect, test } from "bun:test";
import { PortalError, pollAgainMs, send } from "../../src/portal/page/api/request.ts";

const { fetch: realFetch } = globalThis;
afterEach(() => {
  globalThis.fetch = realFetch;
});

/** A server that refuses so often, then answers. Returns how often it was asked. */
function serverThatRefuses(times: number): { asked: number } {
  const server = { asked: 0 };
  globalThis.fetch = (async () => {
    server.asked++;
    if (server.asked > times) return Response.json({ data: "seen" });
    const error = { code: "RATE_LIMITED", message: "others are under way" };
    return Response.json({ error }, { status: 429, headers: { "Retry-After": "0.01" } });
  }) as unknown as typeof fetch;
  return server;
}

test("the preview of a change waits for its turn by itself", async () => {
  const server = serverThatRefuses(3);
  expect(await send<unknown>("PUT", "/fleet/account?preview=true", {})).toEqual({ data: "seen" });
  expect(server.asked).toBe(4);
});

test("a preview that nobody needs any more stops waiting", async () => {
  const server = serverThatRefuses(Number.POSITIVE_INFINITY);
  const outdated = new AbortController();
  const waiting = send("PUT", "/fleet/account?preview=true", {}, outdated.signal);
  outdated.abort(new Error("outdated"));
  expect(waiting).rejects.toThrow("outdated");
  await waiting.catch(() => {});
  expect(server.asked).toBe(1);
});

test("a change is sent once: the person decides whether to try again", async () => {
  const server = serverThatRefuses(1);
  const refused = await send("PUT", "/fleet/account", {}).catch((error: unknown) => error);
  expect(refused instanceof PortalError && refused.code).toBe("RATE_LIMITED");
  expect(server.asked).toBe(1);
});

test("a server that cannot be reached is asked again in seconds, a busy one is left alone for longer", () => {
  expect(pollAgainMs(new PortalError(0, "UNREACHABLE"), 10_000)).toBe(3_000);
  expect(pollAgainMs(new PortalError(503, "UNAVAILABLE"), 10_000)).toBe(20_000);
  expect(pollAgainMs(new Error("odd"), 10_000)).toBe(20_000);
});
