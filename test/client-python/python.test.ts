import { afterEach, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import {
  changesPage,
  failureAnswer,
  type ScriptedAnswer,
  type ScriptedServer,
  scriptedServer,
  tripChange,
} from "../client/scripted-server.ts";
import { servedWorld } from "../client/served-world.ts";
import { startFleetServer, workday } from "../examples/fleet-server.ts";
import { keyOf } from "../support/api.ts";
import { startWorld, stopWorld, thatDay } from "../support/api-fleet.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { runOdograph } from "../support/program.ts";
import { runPython } from "./run-python.ts";

const hourMs = 3_600_000;
const servers: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function scripted(...script: readonly (() => ScriptedAnswer)[]): Promise<ScriptedServer> {
  const server = await scriptedServer(...script);
  servers.push(server);
  return server;
}

test("the Python client waits for a server in trouble, sends tags, and begins anew where that is wanted", async () => {
  const server = await scripted(
    failureAnswer(500, "INTERNAL"),
    () => "cut",
    failureAnswer(429, "RATE_LIMITED", { "Retry-After": "1" }),
    changesPage("t1", { data: [tripChange("a")], next: "c1" }),
    changesPage("t2", { data: [tripChange("b")] }),
    changesPage("t2", { headers: { ETag: '"empty at t2"' } }),
    () => new Response(null, { status: 304 }),
    failureAnswer(410, "CURSOR_EXPIRED"),
    changesPage("t8"),
    changesPage("t9", { data: [tripChange("c")] }),
  );
  const printed = await runPython("follow", server.url, "odo_key", "t0", "4", "restart");
  if (printed === null) return;
  expect(printed).toEqual({
    batches: [
      [["a"], "t1", false],
      [["b"], "t2", false],
      [[], "t8", true],
      [["c"], "t9", false],
    ],
    waits: 3,
    rest: 0,
  });
  const filters = { types: "trip,alert", limit: "500" };
  expect(server.requests.slice(3).map(({ query, etag }) => [query, etag])).toEqual([
    [{ ...filters, after: "t0" }, null],
    [{ ...filters, after: "t0", cursor: "c1" }, null],
    [{ ...filters, after: "t2" }, null],
    [{ ...filters, after: "t2" }, '"empty at t2"'],
    [{ ...filters, after: "t2" }, '"empty at t2"'],
    [filters, null],
    [{ ...filters, after: "t8" }, null],
  ]);
});

const positionsPage = (latitude: number, tag: string) => () =>
  Response.json({ data: [{ name: "Van", latitude }], next_cursor: null }, { headers: { ETag: tag } });

test("the Python client waits for live positions as it follows, and ends quietly", async () => {
  const server = await scripted(
    failureAnswer(500, "INTERNAL"),
    () => "cut",
    failureAnswer(429, "RATE_LIMITED", { "Retry-After": "1" }),
    positionsPage(1, '"one"'),
    () => new Response(null, { status: 304 }),
    positionsPage(2, '"two"'),
  );
  const printed = await runPython("watch", server.url, "odo_key", "2");
  if (printed === null) return;
  expect(printed).toEqual({ seen: [[["Van", 1]], [["Van", 2]]], left: [null, null], waits: 3, over: [[], []] });
  expect(server.requests.slice(3).map(({ etag }) => etag)).toEqual([null, '"one"', '"one"']);
  const refused = await scripted(failureAnswer(401, "INVALID_API_KEY"));
  expect(await runPython("watch", refused.url, "odo_key", "1")).toEqual({ code: "INVALID_API_KEY", waits: 0 });
  const usedUp = await scripted(failureAnswer(429, "RATE_LIMITED", { "Retry-After": "80000" }));
  expect(await runPython("stop", usedUp.url, "odo_key")).toBe(0);
  expect(usedUp.requests).toHaveLength(1);
  const between = await scripted(positionsPage(1, '"one"'));
  expect(await runPython("stop", between.url, "odo_key")).toBe(1);
});

test("the Python client raises what waiting does not mend, and follows no redirect with the key", async () => {
  for (const [status, code] of [
    [400, "INVALID_REQUEST"],
    [401, "INVALID_API_KEY"],
    [410, "CURSOR_EXPIRED"],
  ] as const) {
    const server = await scripted(failureAnswer(status, code));
    const printed = await runPython("follow", server.url, "odo_key", "t0", "1", "throw");
    if (printed === null) return;
    expect(printed).toEqual({ batches: [], code, status });
  }
  const elsewhere = await scripted(changesPage("t1"));
  const location = { Location: `${elsewhere.url}/changes` };
  const server = await scripted(() => new Response(null, { status: 302, headers: location }));
  const printed = await runPython("follow", server.url, "odo_key", "t0", "1", "throw");
  expect(printed).toEqual({ batches: [], code: "UNREADABLE", status: 302 });
  expect(elsewhere.requests).toEqual([]);
});

test("an answer that is cut off or not the API's is a failed try, and without more tries an error that says so", async () => {
  const packed = Bun.gzipSync(await changesPage("t1")().text());
  const gzipped = (body: Uint8Array<ArrayBuffer>) => () =>
    new Response(body, { headers: { "Content-Encoding": "gzip" } });
  const damaged = packed.slice().fill(255, 12, 24);
  const broken = [packed.slice(0, -12), damaged, packed.slice(0, 3)].map(gzipped);
  const others = [() => Response.json({ hello: "world" }), () => Response.json(["data"]), () => new Response("Hello")];
  const server = await scripted(gzipped(packed.slice(0, -12)), () => Response.json({ data: [] }), changesPage("t1"));
  // An empty token is none, as one of a file that was never written.
  const printed = await runPython("follow", server.url, "odo_key", "", "1", "throw");
  if (printed === null) return;
  expect(printed).toEqual({ batches: [[[], "t1", true]], waits: 2, rest: 0 });
  expect(server.requests.map(({ query }) => query.after)).toEqual([undefined, undefined, undefined]);

  const failures = (answers: readonly (() => ScriptedAnswer)[]) =>
    Promise.all(answers.map(async (answer) => runPython("fail", (await scripted(answer)).url, "odo_key")));
  const cutOff = ["ConnectionError", expect.stringContaining("cut off or damaged")];
  expect(await failures(broken)).toEqual(broken.map(() => [cutOff, cutOff]));
  const notOurs = ["UNREADABLE", "the answer 200 is not the API's"];
  expect(await failures(others)).toEqual(others.map(() => [notOurs, notOurs]));
});

test("the examples of its README are Python", async () => {
  const python = Bun.which("python3");
  if (python === null) return console.log("skipped: there is no python3 to read the examples of client-python/ with");
  const readme = await Bun.file(fileURLToPath(new URL("../../client-python/README.md", import.meta.url))).text();
  const blocks = [...readme.matchAll(/```python\n(.*?)```/gs)].map(([, block = ""]) => block);
  const command = [python, "-c", "import ast, sys; ast.parse(sys.stdin.read())"];
  const child = Bun.spawn(command, { stdin: new Blob([blocks.join("\n")]), stderr: "pipe" });
  expect([await child.exited, await new Response(child.stderr).text(), blocks.length]).toEqual([0, "", 3]);
});

onOneEngine("the Python client", (engine) => {
  test("reads lists, single records and the past of a fleet", async () => {
    const world = await startWorld(await engine.fresh());
    const server = servedWorld(world);
    const { from, to } = thatDay;
    const printed = await runPython("lists", server.url, world.keys.anna, from, to);
    await server.stop();
    await stopWorld(world);
    if (printed === null) return;
    const { names, times, known, ...rest } = printed as { names: string[]; times: string[]; known: string[][] };
    expect(names.sort()).toEqual(["Amber van", "Birch truck"]);
    expect(times).toHaveLength(4);
    expect(rest).toEqual({
      same: true,
      code: "NOT_FOUND",
      readings: 4,
      window: ["2026-06-15T00:00:00.000Z", "2026-06-16T00:00:00.000Z", false],
      pages: [true, 1, 1, 1],
      rest: 0,
      clamped: [true, 4, null],
    } as object);
    const { van, truck } = world.devices;
    expect(known.filter(([type]) => type === "device").map(([, id]) => id)).toEqual([van.id, truck.id].sort());
    // A trip that is under way is in every window that is read.
    const different = new Map(known.map((each) => [each.join(), each])).values();
    const counts = Object.groupBy(different, ([type = ""]) => type);
    expect(Object.fromEntries(Object.entries(counts).map(([type, rows]) => [type, rows?.length]))).toEqual({
      user: 1,
      driver: 2,
      geofence: 2,
      device: 2,
      alert_settings: 2,
      stop: 4,
      trip: 4,
      geofence_event: 4,
      alert: 6,
      mileage: 2,
    });
  });

  test("goes once through the changes, and says what is left of the limits", async () => {
    const world = await startWorld(await engine.fresh());
    const server = servedWorld(world);
    const key = await keyOf(world.store.database, "anna@acme.example", { perDay: 7, perSecond: 5 });
    const printed = await runPython("changes", server.url, key);
    await server.stop();
    await stopWorld(world);
    if (printed === null) return;
    expect(printed).toEqual({ before: null, empty: [], again: [[], true, null], quota: [7, 6, 5, true] });
  });

  test("watches live positions of a fleet; looks that find nothing new cost nothing of the day", async () => {
    const world = await startWorld(await engine.fresh());
    const server = servedWorld(world);
    const watching = runPython("watch", server.url, world.keys.anna, "2");
    // Two pages at first, then looks that find nothing new.
    while (Bun.which("python3") !== null && server.requests.length < 6) await Bun.sleep(5);
    const { imei } = world.devices.truck;
    const frame = { type: "frame", imei, recorded_at: new Date().toISOString(), latitude: 52.6, longitude: 13.5 };
    await runOdograph(["load", "-"], { env: world.store.env, input: JSON.stringify(frame) });
    const printed = await watching;
    await server.stop();
    await stopWorld(world);
    if (printed === null) return;
    const { seen, left, ...rest } = printed as { seen: [string, number][][]; left: [number, number] };
    expect(rest).toEqual({ waits: 0, over: [[], []] } as object);
    const names = seen.map((positions) => positions.map(([name]) => name).sort());
    expect(names).toEqual([
      ["Amber van", "Birch truck"],
      ["Amber van", "Birch truck"],
    ]);
    expect(seen[1]?.find(([name]) => name === "Birch truck")?.[1]).toBe(52.6);
    // The truck's page alone was new.
    expect(left[1]).toBe(left[0] - 1);
  });

  test("follows a fleet of the real program", async () => {
    const server = await startFleetServer(await engine.empty(), { vehicles: 2, from: workday });
    const key = await server.key();
    const answer = await fetch(`${server.url}/changes`, { headers: { "X-API-Key": key } });
    const { resume_after: after } = (await answer.json()) as { resume_after: string };
    await server.load(server.frames(workday, workday + 30 * hourMs));
    const printed = await runPython("follow", server.url, key, after, "1", "throw");
    const window = [workday, workday + 30 * hourMs].map((ms) => new Date(ms).toISOString());
    const trips = await server.list<{ trip_id: string }>(`/trips?from=${window[0]}&to=${window[1]}`, key);
    await server.stop();
    if (printed === null) return;
    const { batches, ...rest } = printed as { batches: [string[], string, boolean][] };
    expect(rest).toEqual({ waits: 0, rest: 0 } as object);
    expect(trips.length).toBeGreaterThan(0);
    const ids = batches.flatMap(([changed]) => changed);
    expect(trips.filter(({ trip_id }) => !ids.includes(trip_id))).toEqual([]);
  });
});
