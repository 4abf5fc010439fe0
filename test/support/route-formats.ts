import { expect, test } from "bun:test";
import { parse } from "csv-parse/sync";
import { SaxesParser } from "saxes";
import { contentTypes, type FormatName, formatNames, mediaTypes } from "../../src/api/formats/format.ts";
import type { ApiResponse } from "./api.ts";
import { type RouteUnderTest, sameButLimits, urlOf, urlWith } from "./route-request.ts";

type Shown = Readonly<Record<string, unknown>>;

/** Records as a table has them: one level, null as nothing, texts in one cell, all of it text. */
function flat(record: Shown): Record<string, string> {
  const cells: Record<string, string> = {};
  for (const [name, value] of Object.entries(record)) {
    if (name === "start" || name === "end") {
      const place = (value ?? {}) as Shown;
      for (const part of ["latitude", "longitude"]) cells[`${name}_${part}`] = String(place[part] ?? "");
    } else if (Array.isArray(value) && value.every((item) => typeof item === "string")) cells[name] = value.join(";");
    else if (typeof value === "object" && value !== null) cells[name] = JSON.stringify(value);
    else cells[name] = String(value ?? "");
  }
  return cells;
}

/** Declares what holds of a list in every format. A single record has none. */
export function declareFormats({ route, world, request }: RouteUnderTest): void {
  const { formats } = route;
  if (!formats) {
    test("is JSON, whatever format is asked for: a single record has no other", async () => {
      const { text } = await world().get(urlOf(request()));
      const other = await world().get(urlWith(request(), { format: "csv" }), "olga", { Accept: "text/csv" });
      expect([sameButLimits(other.text), other.headers.get("Vary")]).toEqual([sameButLimits(text), "Accept-Encoding"]);
    });
    return;
  }

  test("shows the same records in each of its formats, by parameter and by Accept", async () => {
    const { body, headers } = await world().get(urlOf(request()));
    expect(headers.get("Vary")).toBe("Accept, Accept-Encoding");
    for (const format of formats.offered) {
      const named = await world().get(urlWith(request(), { format }), "olga", { Accept: "image/png" });
      const accepted = await world().get(urlOf(request()), "olga", { Accept: mediaTypes[format] });
      expect(accepted.text).toBe(named.text);
      for (const answer of [named, accepted]) {
        expect(answer.headers.get("Content-Type")).toBe(contentTypes[format]);
        expect(answer.headers.get("Vary")).toBe("Accept, Accept-Encoding");
      }
      expectRecords(format, named, body.data);
    }
  });

  test("refuses a format that it does not have, and lists those that it has", async () => {
    for (const format of [...formatNames, "xml"].filter((name) => !(formats.offered as string[]).includes(name))) {
      const { status, body, headers } = await world().get(urlWith(request(), { format }));
      expect([status, headers.get("Content-Type")]).toEqual([400, contentTypes.json]);
      expect(body.error.message).toBe(`format: expected one of ${formats.offered.join(", ")}, got "${format}"`);
      const accepted = await world().get(urlOf(request()), "olga", {
        Accept: mediaTypes[format as FormatName] ?? "text/xml",
      });
      expect(accepted.headers.get("Content-Type")).toBe(contentTypes.json);
    }
  });

  if (!route.parameters.some(({ name }) => name === "cursor")) return;

  test("leads from page to page by Link alone, in each format, and from one format to another", async () => {
    const { body, headers } = await world().get(urlOf(request()));
    expect(headers.get("Link")).toBeNull();
    const all: readonly Shown[] = body.data;
    const nextOf = (answer: ApiResponse, current: string) => {
      const [, target = null] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("Link") ?? "") ?? [];
      if (target === null) return null;
      expect(target.length).toBeLessThan(4_200);
      const url = new URL(target, `http://odograph.test/prefix/v1${current}`).href;
      return url.slice(url.indexOf("/v1") + "/v1".length);
    };
    for (const format of formats.offered) {
      const shown: Shown[] = [];
      let next: string | null = urlWith(request(), { format, limit: "1" });
      while (next !== null) {
        const asJson = await world().get(next.replace(`format=${format}`, "format=json"));
        const answer: ApiResponse = await world().get(next);
        const records: readonly Shown[] = asJson.body.data;
        const current: string = next;
        next = nextOf(answer, current);
        // A busy server may end a page of changes before the record that it looks for.
        if (route.followed && isShortOf(format, answer, records)) {
          next = nextOf(asJson, current);
          if (next !== null) next = next.replace("format=json", `format=${format}`);
        } else expectRecords(format, answer, records);
        if (!route.followed) expect(records).toHaveLength(1);
        shown.push(...records);
        if (next !== null) expect(next).toContain(`format=${format}`);
      }
      expect(shown).toEqual([...all]);
    }
    const byAccept = await world().get(urlWith(request(), { limit: "1" }), "olga", { Accept: "text/csv" });
    expect(byAccept.headers.get("Link")).not.toContain("format=");
  });
}

function isShortOf(format: FormatName, { body, text }: ApiResponse, records: readonly Shown[]): boolean {
  const count = format === "json" ? body.data.length : text.trim() === "" ? 0 : text.trim().split("\n").length;
  return records.length > 0 && count === (format === "csv" ? 1 : 0);
}

function expectRecords(format: FormatName, { body, text }: ApiResponse, records: readonly Shown[]): void {
  if (format === "json") expect(body.data).toEqual(records);
  if (format === "ndjson") {
    const lines = text.split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.map((line) => JSON.parse(line))).toEqual([...records]);
  }
  if (format === "csv") {
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    expect(parse(text, { columns: true, record_delimiter: "\r\n" }) as unknown[]).toEqual(records.map(flat));
  }
  if (format === "geojson") expectFeatures(body, records);
  if (format === "gpx") expectGpx(text, records);
}

interface Feature {
  readonly id?: string;
  readonly geometry: { readonly type: string; readonly coordinates: readonly unknown[] } | null;
  readonly properties: Shown;
}

function expectFeatures(body: Shown, records: readonly Shown[]): void {
  expect(Object.keys(body)).toEqual(["type", "features", "next_cursor"]);
  const features = body.features as readonly Feature[];
  expect(features.length).toBe(records.length);
  for (const [index, { id, geometry, properties }] of features.entries()) {
    const { geometry: own, ...record } = records[index] ?? {};
    expect(properties).toEqual(record);
    if (id !== undefined) expect(Object.values(record)[0]).toBe(id);
    if (own) expect(geometry).toEqual(own as Feature["geometry"]);
    else if (record.start) expect(["LineString", "Point"]).toContain(geometry?.type ?? "");
    else if (record.latitude === null) expect(geometry).toBeNull();
    else expect(geometry).toEqual({ type: "Point", coordinates: [record.longitude, record.latitude] });
  }
}

function expectGpx(text: string, records: readonly Shown[]): void {
  const tags: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("opentag", ({ name }) => tags.push(name));
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(text).close();
  expect(text).not.toContain("[object");
  const isTrips = records.some((record) => "trip_id" in record);
  const placed = records.filter(({ latitude }) => latitude !== null);
  expect(tags.filter((name) => name === (isTrips ? "rte" : "trkpt")).length).toBe(placed.length);
}
