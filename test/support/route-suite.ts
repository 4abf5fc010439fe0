import { expect, test } from "bun:test";
import type { Route } from "../../src/api/route.ts";
import { routes } from "../../src/api/routes.ts";
import type { ApiResponse } from "./api.ts";
import { type ApiWorld, startWorld, stopWorld, thatDay, thatTime } from "./api-fleet.ts";
import { onEachEngine } from "./engines.ts";
import { declareDeviceChoice } from "./route-devices.ts";
import { declareFormats } from "./route-formats.ts";
import { declareRefusals } from "./route-refusals.ts";
import {
  failureOf,
  queryParametersOf,
  type RightRequest,
  type RouteUnderTest,
  sameButLimits,
  urlOf,
  urlWith,
  walk,
} from "./route-request.ts";

/** Declares what holds of every route, on both engines, and the route's own tests. */
export function describeRoute(operationId: string, declare: (world: () => ApiWorld) => void = () => {}): void {
  const route = routes.find((candidate) => candidate.operationId === operationId);
  if (!route) throw new Error(`there is no route ${operationId}`);
  onEachEngine(`GET ${route.path}`, (engine) => {
    const world = engine.shared(startWorld, stopWorld);
    const under: RouteUnderTest = { route, world, request: () => rightRequest(route, world()) };
    declare(world);
    declareAnswers(under);
    declareDeviceChoice(under);
    declareFormats(under);
    declareRefusals(under);
  });
}

function rightRequest(route: Route, { devices, users, resumeAfter }: ApiWorld): RightRequest {
  const named: Readonly<Record<string, string>> = {
    device_id: devices.van.id,
    user_id: users.anna.id,
    kind: "temperature",
  };
  const query = {
    ...(route.windowed ? thatDay : {}),
    ...(route.needsDevice ? { device_id: devices.van.id } : {}),
    ...(queryParametersOf(route).includes("time") ? { time: thatTime } : {}),
    ...(route.followed ? { after: resumeAfter, limit: "500" } : {}),
  };
  return { path: route.path.replace(/\{(\w+)\}/, (_, name) => named[name] ?? ""), query };
}

function declareAnswers({ route, world, request }: RouteUnderTest): void {
  const parameters = queryParametersOf(route);

  test("answers to a key in either header, and to both with the same key", async () => {
    const url = urlOf(request());
    const key = world().keys.olga;
    const first = await world().get(url);
    expect(first.status).toBe(200);
    expect(first.text).not.toContain('"data":[]');
    for (const headers of [
      { Authorization: `Bearer ${key}` },
      { Authorization: `bearer ${key}` },
      { Authorization: `BEARER  ${key}`, "X-API-Key": key },
    ]) {
      expect(sameButLimits((await world().get(url, "olga", headers)).text)).toBe(sameButLimits(first.text));
      expect(sameButLimits((await world().api.get(url, null, headers)).text)).toBe(sameButLimits(first.text));
    }
  });

  test("ignores parameters that it does not know, and says so", async () => {
    const { text, headers } = await world().get(urlOf(request()));
    expect(headers.has("X-Ignored-Parameters")).toBe(false);
    const unknown = { nonsense: ["1", "2", ""], LIMIT: "0", "device-id": "x", "": "", "größe, m": "1" };
    const answer = await world().get(urlWith(request(), unknown));
    expect(sameButLimits(answer.text)).toBe(sameButLimits(text));
    expect(answer.headers.get("X-Ignored-Parameters")).toBe("nonsense, LIMIT, device-id, gr%C3%B6%C3%9Fe%2C%20m");
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`p${index}`, "1"]));
    const ofMany = (await world().get(urlWith(request(), many))).headers.get("X-Ignored-Parameters");
    expect(ofMany).toBe("p0, p1, p2, p3, p4, p5, p6, p7, p8, p9");
    const others = { status: "x", limit: "x", from: "x", valid_only: "x", severity: "x", device_id: "x", cursor: "x" };
    const foreign = Object.fromEntries(Object.entries(others).filter(([name]) => !parameters.includes(name)));
    const ofForeign = await world().get(urlWith(request(), foreign));
    expect(sameButLimits(ofForeign.text)).toBe(sameButLimits(text));
    expect(ofForeign.headers.get("X-Ignored-Parameters")).toBe(Object.keys(foreign).join(", ") || null);
  });

  test("answers HEAD as GET, without a body", async () => {
    const { api, keys } = world();
    await using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (call) => api.api.answer(call, () => "10.0.0.1"),
    });
    const wrong = `${request().path}?limit=x&from=x`;
    for (const path of [urlOf(request()), wrong, `${request().path}/`]) {
      for (const key of [keys.olga, "none"]) {
        const headers = { "X-API-Key": key, "Accept-Encoding": "identity" };
        const ask = (method: string) => fetch(`${server.url}v1${path}`, { method, headers });
        const [got, head] = [await ask("GET"), await ask("HEAD")];
        expect(head.status).toBe(got.status);
        expect(lasting(head)).toEqual(lasting(got));
        expect(head.headers.has("date")).toBe(true);
        expect(Number(head.headers.get("content-length"))).toBe((await got.arrayBuffer()).byteLength);
        expect(await head.text()).toBe("");
      }
    }
  });

  if (parameters.includes("limit")) {
    test("pages to the end, with and without the first request's parameters", async () => {
      const { body } = await world().get(urlOf(request()));
      expect(body.next_cursor).toBeNull();
      expect(body.data.length).toBeGreaterThanOrEqual(2);
      for (const limit of [1, 2, body.data.length, 500]) {
        for (const carriesQuery of [true, false]) {
          const { records, pages } = await walk(world(), request(), limit, carriesQuery);
          expect(records).toEqual(body.data);
          // Of changes there may be a last page without any: what others are storing meanwhile could still come before its end.
          const spare = pages - Math.ceil(body.data.length / limit);
          expect(route.followed ? [0, 1] : [0]).toContain(spare);
        }
      }
    });

    test("takes an empty cursor for none", async () => {
      const { text } = await world().get(urlOf(request()));
      expect((await world().get(urlWith(request(), { cursor: "" }))).text).toBe(text);
    });
  }

  if (route.windowed) declareWindow({ route, world, request });
}

function declareWindow({ route, world, request }: RouteUnderTest): void {
  const days = route.path.startsWith("/reports/mileage") ? 366 : 31;
  const windowOf = ({ headers }: ApiResponse) => [
    headers.get("X-Window-From"),
    headers.get("X-Window-To"),
    headers.get("X-Window-Clamped"),
  ];

  test("says which window it read", async () => {
    const at = (from: string, to: string) => world().get(urlWith(request(), { from, to }));
    const [from, to] = ["2026-06-15T00:00:00.000Z", "2026-06-16T12:30:00.000Z"];
    expect(windowOf(await at("2026-06-15", "2026-06-16T14:30:00+02:00"))).toEqual([from, to, null]);
    expect(windowOf(await at("2026-06-15T00:00", "2026-06-16 14:30:00 02:00"))).toEqual([from, to, null]);
  });

  test(`moves the beginning of more than ${days} days forward`, async () => {
    const to = "2026-06-16T00:00:00.000Z";
    const earliest = new Date(Date.parse(to) - days * 86_400_000).toISOString();
    const before = new Date(Date.parse(earliest) - 1).toISOString();
    expect(windowOf(await world().get(urlWith(request(), { from: earliest, to })))).toEqual([earliest, to, null]);
    const clamped = await world().get(urlWith(request(), { from: before, to }));
    expect(windowOf(clamped)).toEqual([earliest, to, "true"]);
    expect(clamped.body.data).not.toEqual([]);
  });

  test("reads the last day where nothing else is said", async () => {
    const { from: _, to: __, ...query } = request().query;
    const before = Date.now();
    const [from, to, clamped] = windowOf(await world().get(urlOf({ path: request().path, query })));
    const toMs = Date.parse(to ?? "");
    expect(toMs).toBeGreaterThanOrEqual(before);
    expect(toMs).toBeLessThanOrEqual(Date.now());
    expect([Date.parse(from ?? ""), clamped]).toEqual([toMs - 86_400_000, null]);
    const [noon, dayBefore] = ["2026-06-15T12:00:00.000Z", "2026-06-14T12:00:00.000Z"];
    const until = await world().get(urlWith({ path: request().path, query }, { to: noon }));
    expect(windowOf(until)).toEqual([dayBefore, noon, null]);
    const since = new Date(before - 60_000).toISOString();
    expect(windowOf(await world().get(urlWith({ path: request().path, query }, { from: since })))[0]).toBe(since);
  });

  test("refuses a window that is empty or turned round, and names `from`", async () => {
    const { from: _, to: __, ...query } = request().query;
    const earlier = "from: expected a time earlier than `to`";
    for (const [window, message] of [
      [{ from: "2026-06-16T00:00:00Z", to: "2026-06-16" }, earlier],
      [{ from: "2026-06-16T02:00:00+02:00", to: "2026-06-16" }, earlier],
      [{ from: "2026-06-17", to: "2026-06-16" }, earlier],
      [{ from: "9999-12-31" }, `${earlier}, which is now unless named`],
      [{ to: "0000-01-01" }, "to: expected a time later than 0000-01-01T00:00:00.000Z"],
    ] as const) {
      const answer = await world().get(urlWith({ path: request().path, query }, window));
      expect(failureOf(answer)).toEqual({ status: 400, error: { code: "INVALID_REQUEST", message } });
    }
  });
}

/** The headers that two answers to the same question share. */
function lasting({ headers }: Response): Record<string, string> {
  const passing = /^(date|x-request-id|x-ratelimit-remaining.*|x-ratelimit-reset|x-window-.*)$/;
  return Object.fromEntries([...headers].filter(([name]) => !passing.test(name)).toSorted());
}
