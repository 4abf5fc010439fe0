import { afterEach, expect, test } from "bun:test";
import { PortalError, pollAgainMs, preview, send, sendTwice } from "../../src/portal/page/api/request.ts";

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

const edit = { revision: 1, fields: {} };

test("the preview of a change waits for its turn by itself", async () => {
  const server = serverThatRefuses(3);
  expect((await preview("PUT /fleet/account", edit)) as unknown).toEqual({ data: "seen" });
  expect(server.asked).toBe(4);
});

test("a preview that nobody needs any more stops waiting", async () => {
  const server = serverThatRefuses(Number.POSITIVE_INFINITY);
  const outdated = new AbortController();
  const waiting = preview("PUT /fleet/account", edit, outdated.signal);
  outdated.abort(new Error("outdated"));
  expect(waiting).rejects.toThrow("outdated");
  await waiting.catch(() => {});
  expect(server.asked).toBe(1);
});

test("a change is sent once: the person decides whether to try again", async () => {
  const server = serverThatRefuses(1);
  const refused = await send("PUT /fleet/account", edit).catch((error: unknown) => error);
  expect(refused instanceof PortalError && refused.code).toBe("RATE_LIMITED");
  expect(server.asked).toBe(1);
});

test("a server that cannot be reached is asked again in seconds, a busy one is left alone for longer", () => {
  expect(pollAgainMs(new PortalError(0, "UNREACHABLE"), 10_000)).toBe(3_000);
  expect(pollAgainMs(new PortalError(503, "UNAVAILABLE"), 10_000)).toBe(20_000);
  expect(pollAgainMs(new Error("odd"), 10_000)).toBe(20_000);
});

/** A server with too much to do, so often, then one that answers. */
function busyServer(times: number, retryAfter: string): { asked: number } {
  const server = { asked: 0 };
  globalThis.fetch = (async () => {
    server.asked++;
    if (server.asked > times) return Response.json({ data: "in" });
    const error = { code: "PASSWORDS_BUSY", message: "too many at once" };
    return Response.json({ error }, { status: 503, headers: { "Retry-After": retryAfter } });
  }) as unknown as typeof fetch;
  return server;
}

const signIn = () => send("POST /session", { email: "olga@acme.example", password: "a password" });

test("a busy server is asked once more after the time that it names, and the person hears of it", async () => {
  const waits: number[] = [];
  const attempt = (): Promise<unknown> => sendTwice(signIn, new AbortController().signal, (wait) => waits.push(wait));
  const once = busyServer(1, "0.01");
  expect(await attempt()).toEqual({ data: "in" });
  expect([once.asked, waits]).toEqual([2, [0.01]]);

  const twice = busyServer(2, "0.01");
  expect(await attempt().catch(({ code }) => code)).toBe("PASSWORDS_BUSY");
  expect([twice.asked, waits]).toEqual([2, [0.01, 0.01]]);
});

test("no second try where the server names no time, or a long one, nor for a person who has left", async () => {
  for (const retryAfter of ["", "60"]) {
    const server = busyServer(1, retryAfter);
    const refused = await sendTwice(signIn, new AbortController().signal, () => {}).catch(({ code }) => code);
    expect([refused, server.asked]).toEqual(["PASSWORDS_BUSY", 1]);
  }
  const server = busyServer(1, "5");
  const left = new AbortController();
  const refused = await sendTwice(signIn, left.signal, () => left.abort(new Error("left"))).catch(String);
  expect([refused, server.asked]).toEqual(["Error: left", 1]);
});
