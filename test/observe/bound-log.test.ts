import { describe, expect, test } from "bun:test";
import { Failure } from "../../src/domain/errors.ts";
import { boundLog } from "../../src/observe/bound-log.ts";
import { LineShares } from "../../src/observe/line-shares.ts";
import { createLog } from "../../src/observe/log.ts";
import { type Caller, type Observation, type Observed, observationKinds } from "../../src/observe/observation.ts";

type Refused = Observed<"request_refused">;
const kinds = Object.keys(observationKinds) as Observation["kind"][];

function refused(id: number, fields: Partial<Refused> = {}): Refused {
  return { kind: "request_refused", requestId: `r${id}`, route: "/trips", status: 404, code: "NOT_FOUND", ...fields };
}

const limited = { code: "RATE_LIMITED", firstOnly: true } as const;
const budgets = { each: { burst: 3, perMinute: 1 }, together: { burst: 5, perMinute: 2 } };

/** The lines of one group of callers, and what they come to. */
function group() {
  const written: string[] = [];
  const lines = new LineShares<Caller>(budgets);
  const add = (name: string, id: number, { code = "NOT_FOUND", firstOnly = false } = {}) => {
    if (lines.take(name, { keyId: name }, code, firstOnly)) written.push(`r${id}`);
  };
  const taken = () => written.splice(0);
  const summaries = () => lines.leftOut().map(({ holder, ...counts }) => ({ ...holder, ...counts }));
  return { lines, add, taken, summaries };
}

describe("lines that are shared out", () => {
  test("are given up to a burst, then some a minute; the others are counted", () => {
    const { lines, add, taken, summaries } = group();
    for (let id = 1; id <= 10; id++) add("k1", id, id > 8 ? { code: "INVALID_REQUEST" } : {});
    expect(taken()).toEqual(["r1", "r2", "r3"]);
    expect(summaries()).toEqual([{ keyId: "k1", count: 7, labels: "NOT_FOUND 5, INVALID_REQUEST 2" }]);
    expect(summaries()).toEqual([]);
    lines.endMinute();
    for (let id = 11; id <= 13; id++) add("k1", id);
    expect(taken()).toEqual(["r11"]);
    expect(summaries()).toEqual([{ keyId: "k1", count: 2, labels: "NOT_FOUND 2" }]);
    expect(lines.isUntouched).toBe(false);
    for (let minute = 0; minute < 3; minute++) lines.endMinute();
    expect(lines.isUntouched).toBe(true);
  });

  test("that one caller has used up are not missing to another, as long as there are any", () => {
    const { add, taken, summaries } = group();
    for (let id = 1; id <= 100; id++) add("k1", id);
    for (let id = 101; id <= 103; id++) add("k2", id);
    expect(taken()).toEqual(["r1", "r2", "r3", "r101", "r102"]);
    expect(summaries().map(({ keyId, count }) => [keyId, count])).toEqual([
      ["k1", 97],
      ["k2", 1],
    ]);
  });

  test("tell the first of many limits that were exceeded, until a minute passes without one", () => {
    const { lines, add, taken, summaries } = group();
    for (let id = 1; id <= 4; id++) add("k1", id, limited);
    expect(taken()).toEqual(["r1"]);
    expect(summaries().map(({ count, labels }) => [count, labels])).toEqual([[3, "RATE_LIMITED 3"]]);
    lines.endMinute();
    add("k1", 5, limited);
    expect(taken()).toEqual([]);
    expect(summaries().map(({ count }) => count)).toEqual([1]);
    lines.endMinute();
    lines.endMinute();
    add("k1", 6, limited);
    expect(taken()).toEqual(["r6"]);
  });

  test("need no more memory and no more summaries, however many callers there are", () => {
    const { add, taken, summaries } = group();
    for (let id = 1; id <= 50_000; id++) add(`k${id}`, id);
    expect(taken()).toHaveLength(5);
    const all = summaries();
    expect(all).toHaveLength(21);
    expect(all.at(-1)?.keyId).toBeUndefined();
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(49_995);
  });
});

/** What the log and the metrics get of these observations, until the end. */
function observed(...observations: readonly Observation[]) {
  const lines: string[] = [];
  const counted: Observation[] = [];
  const log = createLog({ level: "info", format: "json", now: () => 0, write: (line) => lines.push(line) });
  const { observe, close } = boundLog(log, (observation) => counted.push(observation));
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

  const full = new Failure("STORE_FULL", "could not grow: the disk is full", { cause: new Error("SQLITE_FULL") });
  const failed = (id: number, fields: object = {}): Observation => {
    return { kind: "request_failed", requestId: `f${id}`, route: "ingest /frames", cause: full, ...fields };
  };

  test("has the first failures of a cause with their ids, then how many there were and where", () => {
    const flood = Array.from({ length: 5_000 }, (_, id) => failed(id, id % 5 === 0 ? { route: "/devices" } : {}));
    const other = { route: "/trips", cause: new Error("another fault") };
    const { lines, counted, text } = observed(...flood, failed(7_777, other), failed(7_778, other));
    expect(text.length).toBeLessThan(40_000);
    expect(lines.slice(0, 20).map(({ requestId }) => requestId)).toEqual(flood.slice(0, 20).map((_, id) => `f${id}`));
    expect(lines.slice(20, 22).map(({ requestId }) => requestId)).toEqual(["f7777", "f7778"]);
    expect(lines.slice(22)).toEqual([
      {
        time: "1970-01-01T00:00:00.000Z",
        level: "error",
        kind: "lines_left_out",
        of: "request_failed",
        count: 4_980,
        what: "could not grow: the disk is full: SQLITE_FULL",
        routes: "ingest /frames 3984, /devices 996",
      },
    ]);
    expect(counted.filter(({ kind }) => kind === "request_failed")).toHaveLength(5_002);
  });

  test("is not filled by failures that differ in their words", () => {
    const flood = Array.from({ length: 5_000 }, (_, id) =>
      failed(id, { cause: new Error(`fault ${id} ${"x".repeat(999)}`) }),
    );
    const { lines } = observed(...flood);
    expect(lines.length).toBeLessThan(250);
    expect(lines.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(5_000);
  });

  test("has lines for a task that fails beside one that always does", () => {
    const task = (name: string): Observation => ({ kind: "maintenance_failed", task: name, cause: full });
    const { lines } = observed(...Array.from({ length: 500 }, () => task("late frames")), task("retention"));
    expect(lines.filter(({ task }) => task === "retention")).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ of: "maintenance_failed", what: "late frames", count: 480 });
  });

  const isPaced = (kind: Observation["kind"]) => ["start", "timer"].includes(observationKinds[kind].bound);

  test("is not filled by anything, no matter who repeats it", () => {
    const filling = kinds
      .filter((kind) => !isPaced(kind))
      .filter((kind) => observed(...Array.from({ length: 2_000 }, () => ({ kind }) as Observation)).lines.length > 150);
    expect(filling).toEqual([]);
  });

  test("trusts few warnings to be rare: who observes them waits for minutes, or the server starts or ends", () => {
    const least = createLog({ level: "warn", format: "json", write: (line) => warnings.push(JSON.parse(line).kind) });
    const warnings: string[] = [];
    for (const kind of kinds.filter(isPaced)) least({ kind, of: "page_read" } as Observation);
    expect(warnings.toSorted()).toEqual([
      "clock_behind",
      "clock_differs",
      "clock_trusted",
      "open_files_few",
      "password_in_arguments",
      "retention_refused",
      "server_cut_off",
      "tracker_names_taken",
      "tracker_places_taken",
      "unknown_trackers_refused",
    ]);
  });
});
