import { afterEach, expect, test } from "bun:test";
import { type ChangeBatch, OdographClient, OdographError } from "../../client/src/index.ts";
import {
  changesPage,
  failureAnswer,
  type ScriptedAnswer,
  type ScriptedServer,
  scriptedServer,
  tripChange,
} from "./scripted-server.ts";

const servers: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function scripted(...script: readonly (() => ScriptedAnswer)[]) {
  const server = await scriptedServer(...script);
  servers.push(server);
  return { server, odograph: new OdographClient({ url: server.url, key: "odo_key", retries: 0 }) };
}

/** The first batches, as what they report. */
async function take(batches: AsyncIterable<ChangeBatch>, count: number) {
  const taken: { ids: string[]; resumeAfter: string; isStart: boolean }[] = [];
  for await (const { changes, ...batch } of batches) {
    taken.push({ ids: changes.map(({ id }) => id), ...batch });
    if (taken.length === count) break;
  }
  return taken;
}

const fast = { intervalS: 0.01 };
const nothingNew = () => new Response(null, { status: 304 });

test("without a token it begins now: with a batch that says so, whose token is the first to store", async () => {
  const { server, odograph } = await scripted(changesPage("t0"), changesPage("t1", { data: [tripChange("a")] }));
  expect(await take(odograph.follow({ types: ["trip", "alert"], imei: "356307042441013" }, fast), 2)).toEqual([
    { ids: [], resumeAfter: "t0", isStart: true },
    { ids: ["a"], resumeAfter: "t1", isStart: false },
  ]);
  const filters = { types: "trip,alert", imei: "356307042441013", limit: "500" };
  expect(server.requests.map(({ path, query }) => [path, query])).toEqual([
    ["/v1/changes", filters],
    ["/v1/changes", { ...filters, after: "t0" }],
  ]);
});

test("pages follow each other at once, each with the token that it came with", async () => {
  const { server, odograph } = await scripted(
    changesPage("t1", { data: [tripChange("a")], next: "c1" }),
    changesPage("t2", { data: [tripChange("b")], next: "c2" }),
    changesPage("t3", { data: [tripChange("c")] }),
  );
  const batches = take(odograph.follow({ after: "t0" }, { intervalS: 3600 }), 3);
  expect((await batches).map(({ ids, resumeAfter }) => [ids, resumeAfter])).toEqual([
    [["a"], "t1"],
    [["b"], "t2"],
    [["c"], "t3"],
  ]);
  expect(server.requests.map(({ query }) => query.cursor)).toEqual([undefined, "c1", "c2"]);
});

test("looks send the tag of the last answer to the same question, and no other", async () => {
  const tagged = (tag: string) => ({ headers: { ETag: tag } });
  const { server, odograph } = await scripted(
    changesPage("t0", tagged('"empty at t0"')),
    nothingNew,
    nothingNew,
    changesPage("t1", { data: [tripChange("a")], ...tagged('"a at t0"') }),
    changesPage("t1", tagged('"empty at t1"')),
    changesPage("t2", tagged('"empty, but further"')),
    changesPage("t2", tagged('"empty at t2"')),
    changesPage("t3", { data: [tripChange("b")] }),
  );
  expect(await take(odograph.follow({ after: "t0" }, fast), 3)).toEqual([
    { ids: ["a"], resumeAfter: "t1", isStart: false },
    // Nothing that was asked for, but a token that lasts longer.
    { ids: [], resumeAfter: "t2", isStart: false },
    { ids: ["b"], resumeAfter: "t3", isStart: false },
  ]);
  expect(server.requests.map(({ query, etag }) => [query.after, etag])).toEqual([
    ["t0", null],
    ["t0", '"empty at t0"'],
    ["t0", '"empty at t0"'],
    ["t0", '"empty at t0"'],
    ["t1", null],
    ["t1", '"empty at t1"'],
    ["t2", null],
    ["t2", '"empty at t2"'],
  ]);
});

test("a server or a network in trouble is waited for, and every wait is reported", async () => {
  const { server } = await scripted(
    failureAnswer(500, "INTERNAL"),
    () => "cut",
    () => "silent",
    changesPage("t1", { data: [tripChange("a")] }),
  );
  // Far more than an answer takes, so that only the silence is cut off.
  const odograph = new OdographClient({ url: server.url, key: "odo_key", timeoutS: 4, retries: 0 });
  const waits: [string, number][] = [];
  const onWait = (error: unknown, waitS: number) => waits.push([(error as Error).name, waitS]);
  expect(await take(odograph.follow({ after: "t0" }, { ...fast, onWait }), 1)).toMatchObject([{ ids: ["a"] }]);
  expect(waits[0]?.[0]).toBe("OdographError");
  expect(waits.at(-1)?.[0]).toBe("TimeoutError");
  expect(waits).toHaveLength(3);
  for (const [index, [, waitS]] of waits.entries()) {
    expect(waitS).toBeGreaterThanOrEqual(0.25 * 2 ** index);
    expect(waitS).toBeLessThanOrEqual(0.75 * 2 ** index);
  }
  expect(new Set(server.requests.map(({ query }) => query.after))).toEqual(new Set(["t0"]));
});

test("a limit is waited for as long as it says, and a second without requests left is not asked for another", async () => {
  const { server, odograph } = await scripted(
    failureAnswer(429, "RATE_LIMITED", { "Retry-After": "1" }),
    changesPage("t1", {
      data: [tripChange("a")],
      next: "c1",
      headers: { "X-RateLimit-Remaining-Second": "0" },
    }),
    changesPage("t2", { data: [tripChange("b")] }),
  );
  expect(await take(odograph.follow({ after: "t0" }, fast), 2)).toMatchObject([{ ids: ["a"] }, { ids: ["b"] }]);
  const [first = 0, second = 0, third = 0] = server.requests.map(({ atMs }) => atMs);
  expect(second - first).toBeGreaterThanOrEqual(990);
  expect(third - second).toBeGreaterThanOrEqual(990);
});

test("what waiting does not mend is thrown", async () => {
  for (const [status, code] of [
    [400, "INVALID_REQUEST"],
    [401, "INVALID_API_KEY"],
    [403, "INSUFFICIENT_SCOPE"],
    [404, "NOT_FOUND"],
    [410, "CURSOR_EXPIRED"],
  ] as const) {
    const { odograph } = await scripted(failureAnswer(status, code));
    const error = await take(odograph.follow({ after: "t0" }, fast), 1).catch((cause) => cause);
    expect(error).toBeInstanceOf(OdographError);
    expect(error).toMatchObject({ status, code });
  }
  const { odograph } = await scripted(() => Response.json({ hello: "world" }));
  await expect(take(odograph.follow({ after: "t0" }, fast), 1)).rejects.toThrow("the answer has no changes");
});

test("a token that has expired begins anew where that is wanted, in the middle of pages too", async () => {
  const { server, odograph } = await scripted(
    changesPage("t1", { data: [tripChange("a")], next: "c1" }),
    failureAnswer(410, "CURSOR_EXPIRED"),
    changesPage("t8"),
    changesPage("t9", { data: [tripChange("b")] }),
  );
  expect(await take(odograph.follow({ after: "t0" }, { ...fast, onExpired: "restart" }), 3)).toEqual([
    { ids: ["a"], resumeAfter: "t1", isStart: false },
    { ids: [], resumeAfter: "t8", isStart: true },
    { ids: ["b"], resumeAfter: "t9", isStart: false },
  ]);
  expect(server.requests.map(({ query }) => [query.after, query.cursor])).toEqual([
    ["t0", undefined],
    ["t0", "c1"],
    [undefined, undefined],
    ["t8", undefined],
  ]);
});

/** What a loop waits for when it is stopped, by the server's only answer. */
const momentsToStop = (good: () => ScriptedAnswer): Record<string, () => ScriptedAnswer> => ({
  "between two looks": good,
  "in a pause after a failure": failureAnswer(500, "INTERNAL"),
  "until tomorrow": failureAnswer(429, "RATE_LIMITED", { "Retry-After": "80000" }),
  "for an answer": () => "silent",
});

test("the signal ends the loop without an error: before, while it waits, while it is answered", async () => {
  for (const [moment, answer] of Object.entries(momentsToStop(changesPage("t0")))) {
    const { server, odograph } = await scripted(answer);
    const stop = new AbortController();
    const loop = take(odograph.follow({ after: "t0" }, { intervalS: 3600, signal: stop.signal }), 1);
    while (server.requests.length === 0) await Bun.sleep(1);
    stop.abort();
    expect(await loop, moment).toEqual([]);
    expect(await take(odograph.follow({ after: "t0" }, { signal: stop.signal }), 1), moment).toEqual([]);
    expect(server.requests, moment).toHaveLength(1);
  }
});

test("a process that dies after handling a batch and before storing its token gets the batch again", async () => {
  const { server, odograph } = await scripted(
    changesPage("t1", { data: [tripChange("a")] }),
    changesPage("t1", { data: [tripChange("a")] }),
  );
  const dying = async () => {
    for await (const { changes } of odograph.follow({ after: "t0" }, fast))
      throw new Error(`died with ${changes[0]?.id}`);
  };
  await expect(dying()).rejects.toThrow("died with a");
  expect(await take(odograph.follow({ after: "t0" }, fast), 1)).toMatchObject([{ ids: ["a"], resumeAfter: "t1" }]);
  expect(server.requests).toHaveLength(2);
});

const positionsPage = () => Response.json({ data: [{ imei: "1" }], next_cursor: null });

test("live positions are waited for in the same way, past the retries and the longest wait of other calls", async () => {
  const { server, odograph } = await scripted(
    failureAnswer(500, "INTERNAL"),
    () => "cut",
    failureAnswer(429, "RATE_LIMITED", { "Retry-After": "1" }),
    positionsPage,
  );
  const hasty = new OdographClient({ url: server.url, key: "odo_key", retries: 0, longestWaitS: 0 });
  let waits = 0;
  for await (const positions of hasty.watchLatestPositions({}, { ...fast, onWait: () => waits++ })) {
    expect(positions).toHaveLength(1);
    break;
  }
  expect([waits, server.requests.length]).toEqual([3, 4]);
  for await (const _ of odograph.watchLatestPositions()) break;
  const refused = await scripted(failureAnswer(401, "INVALID_API_KEY"));
  await expect(refused.odograph.watchLatestPositions().next()).rejects.toMatchObject({ code: "INVALID_API_KEY" });
});

test("the signal ends watching without an error: before, while it waits, while it is answered", async () => {
  for (const [moment, answer] of Object.entries(momentsToStop(positionsPage))) {
    const { server, odograph } = await scripted(answer);
    const stop = new AbortController();
    const watch = odograph.watchLatestPositions({}, { intervalS: 3600, signal: stop.signal });
    if (moment === "between two looks") await watch.next();
    const last = watch.next();
    while (server.requests.length === 0) await Bun.sleep(1);
    stop.abort(new Error("seen enough"));
    expect(await last, moment).toEqual({ done: true, value: undefined });
    const again = odograph.watchLatestPositions({}, { signal: stop.signal });
    expect(await again.next(), moment).toEqual({ done: true, value: undefined });
    expect(server.requests, moment).toHaveLength(1);
  }
});
