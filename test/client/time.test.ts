import { expect, test } from "bun:test";
import { millisecondsOf } from "../../client/src/time.ts";

test("a time without an offset is UTC, as in the API, whatever the zone of the machine", () => {
  const zone = process.env.TZ;
  process.env.TZ = "America/Caracas";
  try {
    const ten = Date.UTC(2026, 0, 1, 10);
    for (const text of ["2026-01-01T10:00", "2026-01-01 10:00", "2026-01-01 10:00:00.000", "2026-01-01t10:00:00"])
      expect(millisecondsOf(text), text).toBe(ten);
    for (const text of ["2026-01-01T10:00Z", "2026-01-01 11:00+01:00", "2026-01-01T06:00:00-04:00"])
      expect(millisecondsOf(text), text).toBe(ten);
    expect(millisecondsOf("2026-01-01")).toBe(Date.UTC(2026, 0, 1));
    expect(() => millisecondsOf("soon")).toThrow("expected an ISO 8601 time");
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});
