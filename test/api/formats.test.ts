import { describe, expect, test } from "bun:test";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { SaxesParser } from "saxes";
import { z } from "zod";
import { csvOf } from "../../src/api/formats/csv.ts";
import type { OpenDocument } from "../../src/api/formats/format.ts";
import { startToEnd } from "../../src/api/formats/geojson.ts";
import { decimal, openRoutes, openTrack } from "../../src/api/formats/gpx.ts";
import { listFormats } from "../../src/api/formats/list-formats.ts";
import { listDocument } from "../../src/api/lists/list-page.ts";
import { position } from "../../src/api/records/position.ts";
import { trip } from "../../src/api/records/trip.ts";
import { withFormula, withoutFormula } from "../../src/domain/text/spreadsheet-text.ts";
import { keyOf, startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { sharedFleetApi } from "../support/fleet-api.ts";
import { Seed } from "../support/seed.ts";

function written(open: OpenDocument, records: readonly unknown[]): string {
  const document = open(false);
  return document.start + document.records(JSON.stringify(records).slice(1, -1)) + document.end(null);
}

describe("a table", () => {
  const named = csvOf(z.strictObject({ name: z.string(), speed: z.number().nullable(), tags: z.array(z.string()) }));

  test("has a header row also without records, and lines that end as RFC 4180 says", () => {
    expect(written(named, [])).toBe("name,speed,tags\r\n");
    expect(written(named, [{ name: "a\r\nb", speed: null, tags: ["x", "y"] }])).toBe(
      'name,speed,tags\r\n"a\r\nb",,x;y\r\n',
    );
  });

  test("never holds what a spreadsheet would run, but leaves numbers numbers", () => {
    const hostile = [
      "=1+1",
      "+1",
      "-1",
      "@SUM(A1)",
      "\tx",
      "\rx",
      "  =1",
      "\u00a0=1",
      "\ufeff=1",
      "'=1",
      "＝1",
      "\0=1",
    ];
    for (const name of hostile) {
      const [row = []] = parse(written(named, [{ name, speed: -3.2, tags: [name, "x"] }]), {
        from_line: 2,
      }) as string[][];
      expect(row).toEqual([`'${name}`, "-3.2", `'${name};x`]);
    }
    const harmless = ["", "a=1", "1-1", "B-OG 1", "'quoted'", "{}", "5", "a;b", "a\tb", "a; b-c"];
    for (const name of harmless) expect(withoutFormula(name)).toBe(name);
  });

  test("holds nothing to run either where semicolons or tabs separate cells", () => {
    const cut: [string, string][] = [
      ["a;=1", "a;'=1"],
      ["a\t@x", "a\t'@x"],
      ["a; \u00a0+1;-2", "a;' \u00a0+1;'-2"],
      ["a;＝1", "a;'＝1"],
      ["a\n=1", "a\n'=1"],
      ["a;'=1", "a;''=1"],
      ['a;"=1', "a;'\"=1"],
      ["\t=1", "'\t'=1"],
      ["=1;=1", "'=1;'=1"],
    ];
    for (const [text, guarded] of cut) {
      expect(withoutFormula(text)).toBe(guarded);
      expect(withFormula(guarded)).toBe(text);
    }
    expect(written(named, [{ name: "x", speed: null, tags: ["a", "=1", "@b"] }])).toEndWith("x,,a;'=1;'@b\r\n");
  });

  test("property: every text comes back, and no cell begins like a formula", () => {
    const text = fc.string({
      unit: fc.constantFrom("=", "'", " ", "\t", "-", "a", '"', ",", "\r", "\n", ";", "é", "＝"),
    });
    fc.assert(
      fc.property(fc.array(fc.record({ name: text, speed: fc.constant(1), tags: fc.constant([]) })), (records) => {
        const rows = parse(written(named, records), { from: 2, record_delimiter: "\r\n" }) as string[][];
        expect(rows.map(([name = ""]) => withFormula(name))).toEqual(records.map(({ name }) => name));
        for (const [name = ""] of rows) expect(name).not.toMatch(/(^|[;\t\r\n])\s*[=+\-@]/);
      }),
    );
  });
});

test("a trip is a line, or two where it crosses 180 degrees, or a point while it is under way", () => {
  const place = (latitude: number, longitude: number) => ({ latitude, longitude });
  expect(startToEnd({ start: place(1, 2), end: place(3, 4) })).toEqual({
    type: "LineString",
    coordinates: [
      [2, 1],
      [4, 3],
    ],
  });
  expect(startToEnd({ start: place(1, 2), end: null })).toEqual({ type: "Point", coordinates: [2, 1] });
  const cut = { type: "MultiLineString" as const };
  const [east, middle, west] = [
    [179, 10],
    [180, 15],
    [-180, 15],
  ];
  const expected = {
    ...cut,
    coordinates: [
      [east, middle],
      [west, [-179, 20]],
    ],
  };
  expect(startToEnd({ start: place(10, 179), end: place(20, -179) })).toEqual(expected as never);
  const back = startToEnd({ start: place(20, -179), end: place(10, 179) });
  expect(back).toEqual({
    ...cut,
    coordinates: [
      [[-179, 20], west],
      [middle, east],
    ],
  } as never);
});

test("a track has a segment from each discontinuity on, and what is text in it is no markup", () => {
  const frame = position.example as Record<string, unknown>;
  const moved = { ...frame, discontinuity: true, event: "<b>&\ufffe" };
  const nowhere = { ...frame, latitude: null, longitude: null };
  const text = written(openTrack, [nowhere, moved, frame, moved, nowhere]);
  expect(text.match(/<trkseg>/g)?.length).toBe(2);
  expect(text.match(/<trkpt /g)?.length).toBe(3);
  expect(text).toContain("<odo:event>&lt;b&gt;&amp;\ufffd</odo:event>");
  expect(written(openTrack, [nowhere])).not.toContain("<trk");
});

describe("GPX", () => {
  test("has each driver of a trip with a handover, and nothing of one without", () => {
    const [driver] = (trip.example as { drivers: Record<string, unknown>[] }).drivers;
    const other = { driver_id: "T<2", driver_name: null, from: driver?.until, until: null };
    const text = written(openRoutes, [{ ...(trip.example as object), drivers: [driver, other] }]);
    const drivers = [...text.matchAll(/<odo:drivers>(.*?)\n<\/odo:drivers>/g)].map(([, inside]) => inside);
    expect(drivers).toEqual([
      ["driver_id", "driver_name", "from", "until"]
        .map((name) => `<odo:${name}>${driver?.[name]}</odo:${name}>`)
        .join(""),
      `<odo:driver_id>T&lt;2</odo:driver_id><odo:from>${driver?.until}</odo:from>`,
    ]);
    expect(written(openRoutes, [{ ...(trip.example as object), drivers: [] }])).not.toContain("odo:drivers");
  });

  /** As the schemas list them, as far as we write them. */
  const schemaOrder: Record<string, readonly string[]> = {
    gpx: ["rte", "trk"],
    trk: ["name", "trkseg"],
    trkseg: ["trkpt"],
    trkpt: ["ele", "time", "fix", "sat", "hdop", "extensions"],
    rte: ["name", "extensions", "rtept"],
    rtept: ["time", "type"],
    "gpxtpx:TrackPointExtension": ["gpxtpx:speed", "gpxtpx:course"],
  };
  const namespaces: Record<string, string> = {
    "": "http://www.topografix.com/GPX/1/1",
    gpxtpx: "http://www.garmin.com/xmlschemas/TrackPointExtension/v2",
    odo: "urn:odograph:gpx:1",
  };

  test.each([
    [
      "tracks",
      openTrack,
      [position.example, { ...(position.example as object), reject_reason: "no_fix", discontinuity: true }],
    ],
    ["routes", openRoutes, [trip.example, { ...(trip.example as object), ended_at: null, end: null }]],
  ] as const)("has its elements in the order and namespaces of the schemas: %s", (_, open, records) => {
    const parser = new SaxesParser({ xmlns: true });
    const above: { name: string; children: string[]; text: string }[] = [];
    parser.on("opentag", ({ name, prefix, uri }) => {
      expect(uri).toBe(namespaces[prefix] ?? "unknown");
      above.at(-1)?.children.push(name);
      above.push({ name, children: [], text: "" });
    });
    parser.on("text", (text) => {
      const tag = above.at(-1);
      if (tag) tag.text = text;
    });
    parser.on("closetag", () => {
      const { name, children, text } = above.pop() ?? { name: "", children: [], text: "" };
      // GDAL takes an extension for a number if the last text in it is one, and warns of each that it cannot be.
      const isNested = children.length > 0;
      if (above.at(-1)?.name === "extensions" && (isNested || /^\d{10,}$/.test(text.trim()))) {
        expect([name, text.at(-1)]).toEqual([name, "\n"]);
      }
      const order = schemaOrder[name];
      if (!order) return;
      expect([name, children]).toEqual([name, children.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))]);
      expect(order).toEqual(expect.arrayContaining(children));
    });
    parser.on("error", (error) => {
      throw error;
    });
    parser.write(written(open, records)).close();
  });
});

test("property: a number of XML is written without an exponent, and is the same number", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(decimal(value)).toMatch(/^-?\d+(\.\d+)?$/);
      expect(Number(decimal(value))).toBe(value === 0 ? 0 : value);
    }),
  );
});

test("what a list says besides its records is in the envelope, or else in a header", () => {
  const formats = listFormats({
    schema: z.strictObject({ id: z.string(), record: z.record(z.string(), z.any()).nullable() }),
  });
  const page = (format: "json" | "csv") => {
    const open = () => formats.open(format, null);
    return listDocument({ format, open }, '{"id":"a","record":{"x":1}}', null, { resume_after: "later" });
  };
  const json = page("json");
  const data = [{ id: "a", record: { x: 1 } }];
  expect([JSON.parse(json.body), json.headers]).toEqual([
    { data, next_cursor: null, resume_after: "later" },
    undefined,
  ]);
  const csv = page("csv");
  expect([csv.body, csv.headers]).toEqual(['id,record\r\na,"{""x"":1}"\r\n', { "X-Resume-After": "later" }]);
});

onEachEngine("a poll in another format", (engine) => {
  const given = sharedFleetApi(engine);

  test("has a tag of its own, which is known only in that format", async () => {
    const key = await given().key();
    const ask = (format: string | null, accept: string | null, tag: string | null) =>
      given().api.get(`/positions/latest${format === null ? "" : `?format=${format}`}`, key, {
        ...(accept && { Accept: accept }),
        ...(tag && { "If-None-Match": tag }),
      });
    const ways: [string | null, string | null][] = [
      [null, null],
      [null, "text/csv"],
      ["csv", null],
      ["ndjson", "text/csv"],
      [null, "application/geo+json"],
    ];
    const tags: string[] = [];
    for (const [format, accept] of ways) tags.push((await ask(format, accept, null)).headers.get("ETag") ?? "");
    expect(new Set(tags).size).toBe(4);
    expect(tags[1]).toBe(tags[2] ?? "");
    // Each several times, in turn, so that whatever is remembered of one meets the others.
    for (let round = 0; round < 3; round++) {
      for (const [own, [format, accept]] of ways.entries()) {
        for (const [index, tag] of tags.entries()) {
          const isKnown = tag === tags[own];
          const { status } = await ask(format, accept, tag);
          expect([own, index, status]).toEqual([own, index, isKnown ? 304 : 200]);
        }
      }
    }
  });
});

onEachEngine("a page that is too long to be sent at once", (engine) => {
  test("names the next page before its end is made, in each format", async () => {
    const { database } = await engine.fresh();
    const seed = new Seed();
    const account = seed.account({ limit_per_second: 1000 });
    const owner = seed.user(account, { role: "owner" });
    const ring = Array.from({ length: 3_000 }, (_, index) => [
      13 + index * 1.000001e-4,
      52 + (index % 7) * 1.000001e-3,
    ]);
    const geometry_json = JSON.stringify({ type: "LineString", coordinates: ring });
    for (let index = 0; index < 70; index++) {
      seed.geofence(account, { shape: "corridor", geometry_json, radius_m: null, width_m: 20 });
    }
    await seed.save(database);
    const api = await startApi(database);
    const key = await keyOf(database, owner.email);
    const ids: Record<string, string[]> = {};
    for (const format of ["json", "csv", "ndjson", "geojson"]) {
      let path: string | null = `/geofences?limit=60&format=${format}`;
      while (path !== null) {
        const { text, headers } = await api.get(path, key);
        if (headers.has("Link")) expect(text.length).toBeGreaterThan(1024 * 1024);
        const found = text.matchAll(/(?:"geofence_id":"|^)([0-9a-f]{8}-[0-9a-f-]{27})/gm);
        ids[format] = [...(ids[format] ?? []), ...[...found].map(([, id = ""]) => id)];
        const target: string | undefined = /^<([^>]+)>/.exec(headers.get("Link") ?? "")?.[1];
        path = target === undefined ? null : `/${target}`;
      }
    }
    await api.close();
    expect(ids.json?.length).toBe(70);
    expect(new Set(ids.json).size).toBe(70);
    for (const format of ["csv", "ndjson", "geojson"]) expect(ids[format]).toEqual(ids.json);
  });
});
