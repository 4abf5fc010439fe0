import { expect, test } from "bun:test";
import fc from "fast-check";
import { routes } from "../../src/api/routes.ts";
import { onEachEngine } from "../support/engines.ts";
import { type FleetApi, sharedFleetApi } from "../support/fleet-api.ts";

/** Any text that a query can carry: as it is, as percent-encoded junk, or as bytes that are no UTF-8. */
const junk = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }).map(encodeURIComponent),
  fc.string({ unit: "grapheme-ascii", maxLength: 12 }).map((text) => text.replace(/[#\s]/g, "")),
  fc.constantFrom("%", "%0", "%zz", "%00", "%FF%FE", "%C0%80", "%ED%A0%80", "%F4%90%80%80", "%u0041", "%EF%BB%BF"),
  fc.constantFrom("'", "';--", '"', "\\", "%5C", "$1", "{{1}}", "__proto__", "constructor", "null", "undefined"),
  fc.constantFrom(
    "-1",
    "0",
    "1",
    "500",
    "501",
    "1e3",
    "1e999",
    "NaN",
    "9".repeat(400),
    "0x10",
    "１００",
    "1.0",
    "+1",
    "-0",
  ),
  fc.constantFrom("true", "false", "TRUE", "1", "yes", "[]", "a,b", "*", "a".repeat(5_000), "%F0%9F%9A%9A".repeat(50)),
);

const times = fc.oneof(
  fc.constantFrom("0000-01-01", "9999-12-31T23:59:59.999Z", "1970-01-01", "2026-06-15", "2026-06-15T12:00:00+02:00"),
  fc
    .date({ noInvalidDate: true, min: new Date("0001-01-01"), max: new Date("9999-12-31") })
    .map((date) => date.toISOString()),
  junk,
);

/** Every parameter that any route has, with values of which some fit. */
function values({ fleet }: FleetApi, cursors: readonly string[]): Record<string, fc.Arbitrary<string>> {
  const { van, car, otherVan } = fleet;
  const ids = fc.constantFrom(
    van.id,
    van.id.toUpperCase(),
    car.id,
    otherVan.id,
    "00000000-0000-0000-0000-000000000000",
  );
  return {
    device_id: fc.oneof(ids, junk),
    imei: fc.oneof(fc.constantFrom(van.imei, car.imei, otherVan.imei, "0".repeat(14), "9".repeat(17)), junk),
    limit: fc.oneof(fc.integer({ min: -2, max: 600 }).map(String), junk),
    cursor: fc.oneof(
      fc.constantFrom("", ...cursors),
      fc.constantFrom(...cursors).map((one) => `${one}x`),
      junk,
    ),
    from: times,
    to: times,
    status: fc.oneof(fc.constantFrom("active", "inactive", "blocked", "Active"), junk),
    search: fc.oneof(fc.constantFrom("van", "%25", "_", "%5C", "%C3%84", "b-ac", "ı", "ẞ"), junk),
    valid_only: fc.oneof(fc.constantFrom("true", "false"), junk),
    acknowledged: fc.oneof(fc.constantFrom("true", "false"), junk),
    severity: fc.oneof(fc.constantFrom("info", "warning", "critical"), junk),
    alert_type: fc.oneof(fc.constantFrom("speeding", "sos", "none"), junk),
    unknown: junk,
  };
}

const segment = fc.oneof(fc.constantFrom("fuel", "oil", "..", ".", "", "%2F", "%2e%2e", "latest", "{kind}"), junk);

/** Header values as a client can send them: Latin-1, no line ends. */
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code === 0x7f ? 0x20 : code)),
  maxLength: 40,
});
const headerName = fc.constantFrom(
  "Accept-Encoding",
  "If-None-Match",
  "Accept",
  "If-Modified-Since",
  "Range",
  "Origin",
  "Cookie",
  "X-Forwarded-For",
  "X-Request-Id",
  "X-HTTP-Method-Override",
);

onEachEngine("whatever a client sends", (engine) => {
  const given = sharedFleetApi(engine);
  const numRuns = engine.name === "sqlite" ? 900 : 400;

  test("property: with a key that works, no answer is a fault of ours, and each is one of the description", async () => {
    const fleetApi = given();
    const { api, fleet, key } = fleetApi;
    const keys = await Promise.all([fleet.owner, fleet.anna, fleet.otherOwner].map(({ email }) => key({ email })));
    const day = "from=2026-06-15&to=2026-06-16";
    const cursors: string[] = [];
    for (const path of ["/devices?limit=1", `/alerts?limit=1&${day}`, `/sensors/fuel?limit=1&${day}`]) {
      cursors.push((await api.get(path, keys[0])).body.next_cursor);
    }
    const parameters = values(fleetApi, cursors);
    const parameter = fc
      .constantFrom(...Object.keys(parameters))
      .chain((name) => (parameters[name] ?? junk).map((value) => `${name}=${value}`));
    const route = fc.constantFrom(...routes.map(({ path }) => path));
    const fillings = fc.oneof(parameters.device_id ?? junk, segment);
    const path = fc.tuple(route, fillings).map(([pattern, filling]) => pattern.replace(/\{\w+\}/, filling));
    const wanted = fc.record({
      path: fc.oneof({ weight: 9, arbitrary: path }, { weight: 1, arbitrary: segment.map((text) => `/${text}`) }),
      query: fc.array(fc.oneof({ weight: 9, arbitrary: parameter }, junk), { maxLength: 5 }),
      headers: fc.dictionary(headerName, headerText, { maxKeys: 3 }),
      key: fc.constantFrom(...keys),
      method: fc.oneof({ weight: 9, arbitrary: fc.constant("GET") }, fc.constantFrom("POST", "OPTIONS", "PURGE")),
    });
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(wanted, async ({ path, query, headers, key, method }) => {
        const { pathname, search } = new URL(`http://odograph.test/v1${path}?${query.join("&")}`);
        // A path that leads out of the version is not of this interface.
        fc.pre(pathname.startsWith("/v1/"));
        const sent = { "Accept-Encoding": "identity", "X-API-Key": key };
        // The client holds status, headers and body against the description.
        const { status } = await api.request(pathname.slice("/v1".length) + search, {
          headers: { ...headers, ...sent },
          method,
        });
        expect([200, 304, 400, 404, 405]).toContain(status);
        seen.set(status, (seen.get(status) ?? 0) + 1);
      }),
      { numRuns },
    );
    // It is not only ever refused.
    for (const status of [200, 400, 404]) expect([status, (seen.get(status) ?? 0) > 10]).toEqual([status, true]);
    expect(api.observations.filter(({ kind }) => kind === "request_failed")).toEqual([]);
  });

  test("property: whatever stands in the key's headers is no key, and no fault of ours", async () => {
    const { node } = given();
    const api = await node();
    const authorization = fc.oneof(
      headerText,
      headerText.map((text) => `Bearer ${text}`),
      headerText.map((text) => `Bearer odo_${text}`),
    );
    let call = 0;
    await fc.assert(
      fc.asyncProperty(fc.option(authorization), fc.option(headerText), async (one, other) => {
        const headers = new Headers();
        if (one !== null) headers.set("Authorization", one);
        if (other !== null) headers.set("X-API-Key", other);
        // Each from an address of its own, or most would be refused before they are looked at.
        const { status } = await api.request("/devices", { headers }, `10.0.${call >> 8}.${call++ & 255}`);
        expect(status).toBe(401);
      }),
      { numRuns: 200 },
    );
    expect(api.observations.filter(({ kind }) => kind === "request_failed")).toEqual([]);
  });
});
