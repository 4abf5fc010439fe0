import { describe, expect, test } from "bun:test";
import { boundRefusals } from "../../src/observe/bound-refusals.ts";
import { createLog } from "../../src/observe/log.ts";
import type { Observation, RefusedRequest } from "../../src/observe/observation.ts";
import { RefusalLines } from "../../src/observe/refusal-lines.ts";

function refused(id: number, fields: Partial<RefusedRequest> = {}): RefusedRequest {
  return { kind: "request_refused", requestId: `r${id}`, route: "/trips", status: 404, code: "NOT_FOUND", ...fields };
}

const limited = { status: 429, code: "RATE_LIMITED" } as const;
const budgets = { perCaller: { burst: 3, perMinute: 1 }, together: { burst: 5, perMinute: 2 } };

/** The lines of one group of callers, and what they come to. */
function group() {
  const written: string[] = [];
  const lines = new RefusalLines(budgets, (observation) => written.push((observation as RefusedRequest).requestId));
  const add = (name: string, id: number, fields: Partial<RefusedRequest> = {}) =>
    lines.add(name, { keyId: name }, refused(id, fields));
  const taken = () => written.splice(0);
  return { lines, add, taken };
}

describe("lines for refusals", () => {
  test("are given up to a burst, then some a minute; the others are counted", () => {
    const { lines, add, taken } = group();
    for (let id = 1; id <= 10; id++) add("k1", id, id > 8 ? { status: 400, code: "INVALID_REQUEST" } : {});
    expect(taken()).toEqual(["r1", "r2", "r3"]);
    const summary = {
      kind: "requests_refused",
      keyId: "k1",
      count: 7,
      codes: "NOT_FOUND 5, INVALID_REQUEST 2",
    } as const;
    expect(lines.summaries()).toEqual([summary]);
    expect(lines.summaries()).toEqual([]);
    lines.endMinute();
    for (let id = 11; id <= 13; id++) add("k1", id);
    expect(taken()).toEqual(["r11"]);
    expect(lines.summaries()).toEqual([{ kind: "requests_refused", keyId: "k1", count: 2, codes: "NOT_FOUND 2" }]);
    expect(lines.isUntouched).toBe(false);
    for (let minute = 0; minute < 3; minute++) lines.endMinute();
    expect(lines.isUntouched).toBe(true);
  });

  test("that one caller has used up are not missing to another, as long as there are any", () => {
    const { lines, add, taken } = group();
    for (let id = 1; id <= 100; id++) add("k1", id);
    for (let id = 101; id <= 103; id++) add("k2", id);
    expect(taken()).toEqual(["r1", "r2", "r3", "r101", "r102"]);
    expect(lines.summaries().map(({ keyId, count }) => [keyId, count])).toEqual([
      ["k1", 97],
      ["k2", 1],
    ]);
  });

  test("tell the first of many limits that were exceeded, until a minute passes without one", () => {
    const { lines, add, taken } = group();
    for (let id = 1; id <= 4; id++) add("k1", id, limited);
    expect(taken()).toEqual(["r1"]);
    expect(lines.summaries().map(({ count, codes }) => [count, codes])).toEqual([[3, "RATE_LIMITED 3"]]);
    lines.endMinute();
    add("k1", 5, limited);
    expect(taken()).toEqual([]);
    expect(lines.summaries().map(({ count }) => count)).toEqual([1]);
    lines.endMinute();
    lines.endMinute();
    add("k1", 6, limited);
    expect(taken()).toEqual(["r6"]);
  });

  test("need no more memory and no more summaries, however many callers there are", () => {
    const { lines, add, taken } = group();
    for (let id = 1; id <= 50_000; id++) add(`k${id}`, id);
    expect(taken()).toHaveLength(5);
    const summaries = lines.summaries();
    expect(summaries).toHaveLength(21);
    expect(summaries.at(-1)?.keyId).toBeUndefined();
    expect(summaries.reduce((sum, { count }) => sum + count, 0)).toBe(49_995);
  });
});

/** What the log and the metrics get of these observations, until the end. */
function observed(...observations: readonly Observation[]) {
  const lines: string[] = [];
  const counted: Observation[] = [];
  const log = createLog({ level: "info", format: "json", now: () => 0, write: (line) => lines.push(line) });
  const { observe, close } = boundRefusals(log, (observation) => counted.push(observation));
  for (const observation of observations) observe(observation);
  close();
  return { lines: lines.map((line) => JSON.parse(line)), counted, text: lines.join("\n") };
}

describe("a log that is bounded", () => {
  test("tells of each refusal: request, caller, route, status and code, and never where a call came from", () => {
    const { lines, text } = observed(
      refused(1, { keyId: "k1" }),
      refused(2, { userId: "u1" }),
      refused(3, { tokenId: "t1" }),
      refused(4, { network: "203.0.113.9", status: 401, code: "INVALID_API_KEY" }),
      { kind: "server_stopped" },
    );
    const line = { time: "1970-01-01T00:00:00.000Z", level: "info", kind: "request_refused", route: "/trips" };
    const notFound = { ...line, status: 404, code: "NOT_FOUND" };
    expect(lines).toEqual([
      { ...notFound, requestId: "r1", keyId: "k1" },
      { ...notFound, requestId: "r2", userId: "u1" },
      { ...notFound, requestId: "r3", tokenId: "t1" },
      { ...line, requestId: "r4", status: 401, code: "INVALID_API_KEY" },
      { time: line.time, level: "info", kind: "server_stopped" },
    ]);
    expect(text).not.toContain("203.0.113.9");
  });

  test("is not filled by a flood from everywhere, and does not lose a customer's line in it", () => {
    const flood = Array.from({ length: 20_000 }, (_, id) =>
      refused(id, { network: `10.0.${id % 250}.1`, status: 401, code: "INVALID_API_KEY" }),
    );
    const { lines, counted } = observed(...flood, refused(99_999, { keyId: "k1" }));
    expect(lines.length).toBeLessThan(400);
    expect(lines.find(({ keyId }) => keyId === "k1")?.requestId).toBe("r99999");
    const { count, codes } = lines.at(-1);
    expect(lines.length - 2 + count).toBe(20_000);
    expect(codes).toBe(`INVALID_API_KEY ${count}`);
    // The metrics count them all.
    expect(counted.filter(({ kind }) => kind === "request_refused")).toHaveLength(20_001);
  });

  test("leaves lines to others when one address floods it", () => {
    const flood = Array.from({ length: 5_000 }, (_, id) => refused(id, { network: "203.0.113.9" }));
    const { lines } = observed(...flood, refused(7_777, { network: "198.51.100.7" }));
    expect(lines.some(({ requestId }) => requestId === "r7777")).toBe(true);
  });
});
