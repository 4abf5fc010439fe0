import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { keep, listBody, singleBody } from "../../../src/api/records/body.ts";
import { exampleDeviceRow, writeDevice } from "../../../src/api/records/device.ts";
import { naiveFleet } from "./naive-fleet.ts";
import { recordCases } from "./record-cases.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

function problems(schema: z.ZodType, record: unknown): z.core.$ZodIssue[] {
  return schema.safeParse(record).error?.issues ?? [];
}

describe.each(recordCases.map((found) => [found.name, found] as const))("%s", (name, { schema, examples, use }) => {
  test("what is written by hand is what JSON.stringify would write, and is in the description", () => {
    use(({ rows, present, naive }) =>
      fc.assert(
        fc.property(rows, (row) => {
          const text = present(row);
          expect(text).toBe(JSON.stringify(naive(row)));
          expect(problems(schema, JSON.parse(text))).toEqual([]);
        }),
        { numRuns: 500 },
      ),
    );
  });

  test("a list and a single body hold the same records as UTF-8", () => {
    use(({ rows, write, naive }) =>
      fc.assert(
        fc.property(fc.array(rows), fc.option(fc.base64String()), (list, cursor) => {
          const page = JSON.stringify({ data: list.map(naive), next_cursor: cursor });
          expect(decoder.decode(keep(listBody(list, list.length, write, cursor)))).toBe(page);
          for (const row of list.slice(0, 1)) {
            expect(decoder.decode(keep(singleBody(row, write)))).toBe(JSON.stringify({ data: naive(row) }));
          }
        }),
      ),
    );
  });

  test("the examples are in the description, as they are presented", () => {
    expect(examples.flatMap((example) => problems(schema, example))).toEqual([]);
    use(({ exampleRows, naive }) => expect(exampleRows.map(naive)).toEqual([...examples]));
  });

  test("it becomes a named component in which every key is required, described, and nothing else is allowed", () => {
    const { $defs = {} } = z.toJSONSchema(z.array(schema), { target: "draft-2020-12", io: "output" });
    expect(Object.keys($defs)).toContain(name);
    expect(Object.keys($defs).filter((found) => found.startsWith("__"))).toEqual([]);
    const objects = Object.values($defs).filter((definition) => definition.type === "object");
    expect(objects).not.toBeEmpty();
    for (const { properties = {}, required = [], additionalProperties, description } of objects) {
      expect(required.toSorted()).toEqual(Object.keys(properties).toSorted());
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

test("of the rows that were read only those of the page are shown", () => {
  for (const { use } of recordCases) {
    use(({ exampleRows, write, naive }) => {
      const [row] = exampleRows;
      if (row === undefined) throw new Error("no example");
      const body = keep(listBody([row, row, row], 2, write, "next"));
      expect(JSON.parse(decoder.decode(body))).toEqual({ data: [naive(row), naive(row)], next_cursor: "next" });
    });
  }
});

test("nothing is cut off when every text is as long as is still taken for short", () => {
  const text = "漢".repeat(64);
  const texts = { name: text, plate: text, vin: text, vehicle_make: text, vehicle_model: text, vehicle_type: text };
  const lists = { tags_json: JSON.stringify([text.slice(4)]), external_ids_json: JSON.stringify({ a: text.slice(8) }) };
  const row = { ...exampleDeviceRow, ...texts, ...lists, tracker_model: text, odometer_m: -Number.MAX_SAFE_INTEGER };
  const rows = Array.from({ length: 500 }, () => row);
  const page = JSON.stringify({ data: rows.map(naiveFleet.device), next_cursor: text });
  expect(decoder.decode(keep(listBody(rows, rows.length, writeDevice, text)))).toBe(page);
});

test("bodies that are under way at once never share a buffer, however they are given back", () => {
  const lend = (cursor: string) => listBody([exampleDeviceRow], 1, writeDevice, cursor);
  const cursorIn = (bytes: Uint8Array | undefined) => JSON.parse(decoder.decode(bytes)).next_cursor;
  const bodies = ["zero", "one", "two", "three"].map(lend);
  bodies[1]?.giveBack();
  bodies[1]?.giveBack();
  const later = ["later", "last"].map(lend);
  expect([0, 2, 3].map((index) => cursorIn(bodies[index]?.bytes))).toEqual(["zero", "two", "three"]);
  expect(later.map((body) => cursorIn(body.bytes))).toEqual(["later", "last"]);
  for (const body of [...bodies, ...later]) body.giveBack();
});
