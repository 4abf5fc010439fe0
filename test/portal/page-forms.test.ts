import { describe, expect, test } from "bun:test";
import {
  type ConflictFields,
  changedParts,
  partsInConflict,
  sentFields,
} from "../../src/portal/page/fleet/conflict-parts.ts";
import { cadenceOf } from "../../src/portal/page/planned-reports/plan-draft.ts";

const labels: Readonly<Record<string, string>> = {
  name: "Name",
  plate: "Plate",
  tags: "Tags",
  shape: "Shape",
  radius_m: "Shape",
};

const form: ConflictFields = {
  opened: { name: "Van 1", plate: "A 1", tags: ["cold"], shape: "circle", radius_m: 100, revision: 3 },
  fieldName: (field) => labels[field],
  fieldValue: (field, _, record) => (labels[field] === "Shape" ? `${record.shape} of ${record.radius_m} m` : undefined),
};

describe("a conflict", () => {
  const current = { name: "Van One", tags: ["cold"], shape: "circle", radius_m: 200, revision: 4 };

  test("has the fields that both changed, each with both values, and of several fields of one part one", () => {
    const mine = { name: "Van Uno", plate: "B 2", tags: ["warm"], radius_m: 300 };
    const parts = partsInConflict(current, mine, form);
    expect(parts.map(({ label, mine, current }) => [label, mine, current])).toEqual([
      ["Name", "Van Uno", "Van One"],
      // The other has taken it away.
      ["Plate", "B 2", ""],
      ["Shape", "circle of 300 m", "circle of 200 m"],
    ]);
  });

  test("is none where both changed to the same, or only one did", () => {
    expect(partsInConflict(current, { name: "Van One", tags: ["warm"] }, form)).toEqual([]);
    expect(partsInConflict(current, { plate: null }, form)).toEqual([]);
  });

  test("stores what was chosen: a part of which the other's value stays is not sent", () => {
    const mine = { name: "Van Uno", plate: "B 2", tags: ["warm"], shape: "circle", radius_m: 300 };
    const parts = partsInConflict(current, mine, form);
    expect(sentFields(mine, parts, new Set())).toEqual(mine);
    expect(sentFields(mine, parts, new Set(["Name", "Shape"]))).toEqual({ plate: "B 2", tags: ["warm"] });
  });

  test("says what else the other changed", () => {
    expect(changedParts(current, form)).toEqual([
      { label: "Name", value: "Van One" },
      { label: "Shape", value: "circle of 200 m" },
      { label: "Plate", value: "" },
    ]);
  });
});

test("a report is planned as often as its days come round", () => {
  const days = (from: string, to: string) => cadenceOf({ name: "days", from, to });
  expect(days("2026-11-18", "2026-11-18")).toBe("day");
  expect(days("2026-11-16", "2026-11-22")).toBe("week");
  expect(days("2026-02-01", "2026-02-28")).toBe("month");
  const named = (name: "yesterday" | "today" | "week" | "last-week" | "month" | "last-month") =>
    cadenceOf({ name, from: "2026-11-01", to: "2026-11-01" });
  expect((["yesterday", "today", "week", "last-week", "month", "last-month"] as const).map(named)).toEqual([
    ...(["day", "day", "week", "week", "month", "month"] as const),
  ]);
});
