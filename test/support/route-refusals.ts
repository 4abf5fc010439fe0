import { expect, test } from "bun:test";
import { newCredential } from "../../src/access/credential.ts";
import { allScopes } from "../../src/domain/scopes.ts";
import { type ApiResponse, keyOf } from "./api.ts";
import { awayFromMidnight } from "./midnight.ts";
import { failureOf, queryParametersOf, type RouteUnderTest, urlOf, urlWith } from "./route-request.ts";

const long = "x".repeat(201);

/** Values that are none of the parameter's. A parameter that is not listed here fails its tests. */
const malformed: Readonly<Record<string, readonly string[]>> = {
  limit: ["0", "501", "-1", "+1", "1.5", "1e2", "0x10", "ten", " 5", "٣"],
  cursor: ["nonsense", "a.b", "e30.e30", ".", "x".repeat(4097), "%00"],
  device_id: ["1", "356307042441013", "5b0c3a1e7f424c7b9d2a0e6f4a8b1207", "{5b0c3a1e-7f42-4c7b-9d2a-0e6f4a8b1207}"],
  imei: [""],
  from: ["yesterday", "2026-13-01", "2026-02-30", "2026-06-15T24:30Z", "1781524800000", "2026-06-15T12:00:00+25:00"],
  to: ["now", "2026", "2026-06", "15.06.2026", "2026-06-15T", "2026-06-15T12:00:00 Z"],
  status: ["broken", "Active", "active,blocked", " active"],
  search: [long],
  valid_only: ["yes", "1", "TRUE", "null"],
  acknowledged: ["yes", "0", "True"],
  severity: ["fatal", "Warning", "info,warning"],
  alert_type: [long],
  geofence_id: ["1", "yard", "c2a7e9d41b3f4f0e8a6d93b5d7e1f052"],
  min_duration_s: ["-1", "1.5", "1e3", "ten", "3155760001", "99999999999"],
  format: ["xml", "CSV", "json,csv", "text/csv", "parquet", "toString"],
  after: ["nonsense", "e30.e30", "x".repeat(43), "x".repeat(201)],
  time: ["yesterday", "2026-13-01", "12:00", "1781524800000", "2026-06-15T12:00:00+25:00"],
  max_age_s: ["-1", "2678401", "1.5", "1e2", "an hour"],
  near: ["52.5", "52.5;13.4", "91,13", "52,180.5", "52,13,5", " 52,13", "north,east", "52.,13", "1e1,13"],
  radius_m: ["0", "-5", "1.5", "20040001", "far"],
  geometry: ["outline", "Area", "own,area"],
  period: ["year", "Day", "day,week"],
  group_by: ["user", "Tag", "device,tag"],
  driver_id: [long],
  fields: ["nonsense", "device_id,", "Imei", "device_id;imei", "__proto__", "toString"],
  include_names: ["yes", "1", "TRUE"],
  tag: [long],
  min_value: ["high", "1,5", "0x10", "1e999", " 5", "Infinity"],
  max_value: ["low", "--1", "NaN", "."],
  types: ["trips", "trip,", "Trip", "trip;alert"],
};

const mayBeEmpty = ["cursor", "search"];

let lastAddress = 0;

/** A client of its own for each call, because those without a key are metered by their address. */
function newAddress(): string {
  const number = ++lastAddress;
  return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
}

export function declareRefusals(under: RouteUnderTest): void {
  declareInvalidRequests(under);
  declareInvalidKeys(under);
  declareLimits(under);

  const { route, world, request } = under;
  const ask = (path: string, init: RequestInit) => world().api.request(path, init, newAddress());

  const { scope: needed } = route;
  if (needed !== "any")
    test("refuses a key without its scope, and says what the key holds", async () => {
      const scopes = allScopes.filter((scope) => scope !== needed);
      const key = await keyOf(world().store.database, world().users.olga.email, { scopes });
      const { status, body, headers } = await world().api.get(urlOf(request()), key);
      expect(body).toEqual({
        error: {
          code: "INSUFFICIENT_SCOPE",
          message: `this key lacks the scope ${needed}: create a key with it in the portal`,
          required_scopes: [needed],
          granted_scopes: scopes,
        },
        request_id: headers.get("X-Request-Id"),
      });
      expect(status).toBe(403);
      const only = await keyOf(world().store.database, world().users.olga.email, { scopes: [needed] });
      expect((await world().api.get(urlOf(request()), only)).status).toBe(200);
    });

  test("refuses every method but GET and HEAD", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      for (const headers of [{ "X-API-Key": world().keys.olga }, { "X-API-Key": "wrong" }, {}]) {
        const answer = await ask(urlOf(request()), { method, headers });
        expect(failureOf(answer)).toMatchObject({ status: 405, error: { code: "METHOD_NOT_ALLOWED" } });
        expect(answer.headers.get("Allow")).toBe("GET, HEAD");
      }
    }
  });

  test("checks path, method, key, limits, scope, parameters and record in this order", async () => {
    const { store, users } = world();
    const scopes = allScopes.filter((scope) => scope !== needed);
    const spent = await keyOf(store.database, users.olga.email, { scopes, perDay: 1 });
    const unscoped = await keyOf(store.database, users.olga.email, { scopes });
    expect((await world().api.get("/nowhere", spent)).status).toBe(404);
    expect((await world().api.get(urlOf(request()), spent)).status).toBe(needed === "any" ? 200 : 403);

    // Wrong in every way at once; then one thing after the other is put right.
    const unknown = route.path.replace(/\{[a-z_]+\}/g, "00000000-0000-4000-8000-00000000dead");
    const takesDevice = queryParametersOf(route).includes("imei");
    const takesAnything = queryParametersOf(route).length > 0;
    const absent = {
      path: unknown,
      query: { ...request().query, ...(takesDevice ? { imei: "359999999999999" } : {}) },
    };
    const wrong = urlWith(absent, Object.fromEntries(queryParametersOf(route).map((name) => [name, ["", ""]])));
    const steps = [
      [404, await ask(`${unknown}/`, { method: "POST" })],
      [405, await ask(wrong, { method: "POST" })],
      [401, await ask(wrong, {})],
      [429, await ask(wrong, { headers: { "X-API-Key": spent } })],
      ...(needed === "any" ? [] : [[403, await ask(wrong, { headers: { "X-API-Key": unscoped } })] as const]),
      ...(takesAnything ? [[400, await world().get(wrong)] as const] : []),
      ...(takesDevice || unknown.includes("dead") ? [[404, await world().get(urlOf(absent))] as const] : []),
      [200, await world().get(urlOf(request()))],
    ] as const;
    expect(steps.map(([, { status }]) => status)).toEqual(steps.map(([status]) => status));
  });
}

function declareInvalidRequests({ route, world, request }: RouteUnderTest): void {
  const parameters = queryParametersOf(route);
  if (parameters.length === 0) return;

  async function expectNamed(url: string, names: readonly string[]): Promise<void> {
    const { status, body } = await world().get(url);
    expect([url, status, body.error?.code]).toEqual([url, 400, "INVALID_REQUEST"]);
    const named = parameters.filter((name) => body.error.message.includes(`${name}: expected`));
    expect([url, ...named]).toEqual([url, ...parameters.filter((name) => names.includes(name))]);
  }

  test("refuses each parameter that is malformed, and names it", async () => {
    for (const name of parameters) {
      expect([name, malformed[name]?.length ?? 0]).not.toEqual([name, 0]);
      for (const value of malformed[name] ?? []) await expectNamed(urlWith(request(), { [name]: value }), [name]);
    }
  });

  test("refuses each parameter that is given twice, even with the same value", async () => {
    for (const parameter of route.parameters.filter(({ in: place }) => place === "query")) {
      const { name, example } = parameter;
      for (const second of [String(example), "", malformed[name]?.[0] ?? ""]) {
        await expectNamed(urlWith(request(), { [name]: [String(example), second] }), [name]);
      }
    }
  });

  test("refuses each parameter that is empty, unless that may stand for none", async () => {
    for (const name of parameters.filter((candidate) => !mayBeEmpty.includes(candidate))) {
      await expectNamed(urlWith(request(), { [name]: "" }), [name]);
    }
  });

  test("names everything that is wrong in one message", async () => {
    const wrong = Object.fromEntries(parameters.map((name) => [name, malformed[name]?.[0] ?? ""]));
    await expectNamed(urlWith(request(), wrong), parameters);
    const twice = Object.fromEntries(parameters.map((name) => [name, ["", ""]]));
    await expectNamed(urlWith(request(), twice), parameters);
    if (!route.windowed) return;
    const turned = { from: "2026-06-16", to: "2026-06-15" };
    for (const name of parameters.filter((other) => other !== "from" && other !== "to")) {
      await expectNamed(urlWith(request(), { ...turned, [name]: malformed[name]?.[0] ?? "" }), ["from", name]);
    }
  });
}

function declareInvalidKeys({ world, request }: RouteUnderTest): void {
  test("refuses whatever is not one working key, in the same words", async () => {
    const { keys, deadKeys, api } = world();
    const presented: Record<string, string>[] = [
      {},
      { "X-API-Key": "" },
      { "X-API-Key": "wrong" },
      { "X-API-Key": newCredential("apiKey").secret },
      { "X-API-Key": keys.olga.slice(0, -1) },
      { "X-API-Key": keys.olga, Authorization: `Bearer ${keys.anna}` },
      { Authorization: keys.olga },
      { Authorization: `Basic ${keys.olga}` },
      { Authorization: "Bearer" },
      { Cookie: `key=${keys.olga}` },
      { "X-API-Key": newCredential("ingestToken").secret },
      ...Object.values(deadKeys).flatMap((key) => [{ "X-API-Key": key }, { Authorization: `Bearer ${key}` }]),
    ];
    const answers: ApiResponse[] = [];
    // Nor is a key in the address one.
    const url = urlWith(request(), { key: keys.olga, api_key: keys.olga });
    for (const headers of presented) answers.push(await api.request(url, { headers }, newAddress()));
    for (const answer of answers) {
      expect(failureOf(answer)).toEqual({
        status: 401,
        error: {
          code: "INVALID_API_KEY",
          message: "expected a valid API key, as `Authorization: Bearer KEY` or `X-API-Key: KEY`",
        },
      });
      expect(Object.keys(answer.body)).toEqual(["error", "request_id"]);
      expect(answer.headers.get("WWW-Authenticate")).toBe('Bearer realm="odograph"');
    }
    expect(new Set(answers.map(({ body }) => body.request_id)).size).toBe(presented.length);
  });
}

function declareLimits({ world, request }: RouteUnderTest): void {
  test("refuses what goes beyond the second", async () => {
    const { store, users, api } = world();
    const key = await keyOf(store.database, users.olga.email, { perSecond: 1 });
    // Should a second end in between, the next call is the one too many.
    let answer = await api.get(urlOf(request()), key);
    for (let calls = 0; answer.status === 200 && calls < 20; calls++) answer = await api.get(urlOf(request()), key);
    expect(failureOf(answer)).toMatchObject({ status: 429, error: { code: "RATE_LIMITED" } });
    expect(answer.headers.get("Retry-After")).toBe("1");
    expect(answer.headers.get("X-RateLimit-Limit-Second")).toBe("1");
    expect(answer.headers.get("X-RateLimit-Remaining-Second")).toBe("0");
  });

  test("refuses what goes beyond the day", async () => {
    await awayFromMidnight();
    const { store, users, api } = world();
    const key = await keyOf(store.database, users.olga.email, { perDay: 2 });
    const used = [await api.get(urlOf(request()), key), await api.get(urlOf(request()), key)];
    expect(used.map(({ status, headers }) => [status, headers.get("X-RateLimit-Remaining")])).toEqual([
      [200, "1"],
      [200, "0"],
    ]);
    const { headers, ...answer } = await api.get(urlOf(request()), key);
    expect(failureOf({ ...answer, headers })).toMatchObject({ status: 429, error: { code: "RATE_LIMITED" } });
    expect(headers.get("Retry-After")).toBe(headers.get("X-RateLimit-Reset"));
    const untilMidnight = (86_400_000 - (Date.now() % 86_400_000)) / 1000;
    expect(Math.abs(Number(headers.get("Retry-After")) - untilMidnight)).toBeLessThan(30);
  });
}
