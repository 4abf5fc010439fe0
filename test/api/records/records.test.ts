import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { openJson } from "../../../src/api/formats/json.ts";
import { listDocument, listPage } from "../../../src/api/lists/list-page.ts";
import { copyOf, lentListPage, singleBody } from "../../../src/api/records/body.ts";
import { DeviceText, device } from "../../../src/api/records/device.ts";
import { latestPosition, writeLatestPositions } from "../../../src/api/records/latest-position.ts";
import { fleetRows } from "../../support/fleet-rows.ts";
import { trackingRows } from "../../support/tracking-rows.ts";
import { recordCases } from "./record-cases.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });
const asJson = { format: "json", open: () => openJson(false) } as const;

function problems(schema: z.ZodType, record: unknown): z.core.$ZodIssue[] {
  return schema.safeParse(record).error?.issues ?? [];
}

describe.each(recordCases.map((found) => [found.name, found] as const))("%s", (name, { schema, examples, use }) => {
  test("is what JSON.stringify writes of the expected object, and is in the description", () => {
    use(({ declared, json }) =>
      fc.assert(
        fc.property(declared.any, (row) => {
          const text = json([row]);
          expect(text).toBe(JSON.stringify(declared.record(row)));
          expect(problems(schema, JSON.parse(text))).toEqual([]);
        }),
        { numRuns: 500 },
      ),
    );
  });

  test("a list and a single body hold the same records", () => {
    use(({ declared, json }) =>
      fc.assert(
        fc.property(fc.array(declared.any), fc.option(fc.base64String()), (list, cursor) => {
          const page = JSON.stringify({ data: list.map(declared.record), next_cursor: cursor });
          expect(listDocument(asJson, json(list), cursor).body).toBe(page);
          for (const row of list.slice(0, 1)) {
            expect(singleBody(json([row]))).toBe(JSON.stringify({ data: declared.record(row) }));
          }
        }),
      ),
    );
  });

  test("the examples are in the description, as they are presented", () => {
    expect(examples.flatMap((example) => problems(schema, example))).toEqual([]);
    use(({ exampleRows, declared }) => expect(exampleRows.map(declared.record)).toEqual([...examples]));
  });

  test("it becomes a named component in which every key is required, described, and nothing else is allowed", () => {
    const { $defs = {} } = z.toJSONSchema(z.array(schema), { target: "draft-2020-12", io: "output" });
    expect(Object.keys($defs)).toContain(name);
    expect(Object.keys($defs).filter((found) => found.startsWith("__"))).toEqual([]);
    const objects = Object.values($defs).filter((definition) => definition.type === "object");
    expect(objects).not.toBeEmpty();
    for (const { properties = {}, required = [], additionalProperties, description } of objects) {
      // The one that only some requests ask for says so.
      const always = Object.keys(properties).filter((key) => name !== "LatestPosition" || key !== "distance_m");
      expect(required.toSorted()).toEqual(always.toSorted());
      expect(additionalProperties).toBe(false);
      expect(description).toBeString();
    }
    const isDescribed = (property: unknown) => typeof (property as { description?: unknown }).description === "string";
    const undescribed = objects
      .filter(({ properties = {} }) => !("coordinates" in properties)) // GeoJSON describes itself
      .flatMap(({ properties = {} }) => Object.entries(properties).filter(([, property]) => !isDescribed(property)));
    expect(undescribed).toEqual([]);
  });
});

test("of the rows that were read only those of the page are shown", async () => {
  const row = latestPosition.exampleRow;
  const call = { ...asJson, withNames: async (records: string) => records };
  const page = (count: number) => listPage(call, Array(count).fill(row), 2, latestPosition.json, () => "next");
  const { example } = latestPosition;
  expect(JSON.parse((await page(3)).body)).toEqual({ data: [example, example], next_cursor: "next" });
  expect(JSON.parse((await page(2)).body)).toEqual({ data: [example, example], next_cursor: null });
  expect(JSON.parse((await page(0)).body)).toEqual({ data: [], next_cursor: null });
  const pages = await Promise.all([3, 2, 0].map(page));
  expect(pages.map(({ next }) => next)).toEqual(["next", null, null]);
});

test("a device whose text is known is shown as any other", () => {
  fc.assert(
    fc.property(fleetRows.device.any, fc.array(fleetRows.device.any), (row, later) => {
      const text = new DeviceText(row);
      for (const state of [row, ...later, row, row]) {
        const { odometer_m, last_seen_at, last_position_at } = state;
        const shown = device.json([{ ...row, odometer_m, last_seen_at, last_position_at }]);
        expect(text.json(state)).toBe(shown);
      }
    }),
  );
});

test("a page that is written as bytes holds the same records as UTF-8", () => {
  fc.assert(
    fc.property(fc.array(trackingRows.latestPosition.any), fc.option(fc.base64String()), (rows, cursor) => {
      const { body, next } = lentListPage((json) => {
        writeLatestPositions(json, rows);
        return cursor;
      });
      const page = JSON.stringify({ data: rows.map(trackingRows.latestPosition.record), next_cursor: cursor });
      expect(decoder.decode(copyOf(body))).toBe(page);
      expect(next).toBe(cursor);
    }),
  );
});

test("bodies that are under way at once never share a buffer, however they are given back", () => {
  const lend = (cursor: string) => lentListPage(() => cursor).body;
  const cursorIn = (bytes: Uint8Array | undefined) => JSON.parse(decoder.decode(bytes)).next_cursor;
  const bodies = ["zero", "one", "two", "three"].map(lend);
  bodies[1]?.release();
  bodies[1]?.release();
  const later = ["later", "last"].map(lend);
  expect([0, 2, 3].map((index) => cursorIn(bodies[index]?.bytes))).toEqual(["zero", "two", "three"]);
  expect(later.map((body) => cursorIn(body.bytes))).toEqual(["later", "last"]);
  for (const body of [...bodies, ...later]) body.release();
});
