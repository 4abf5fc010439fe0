import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { severities } from "../../src/domain/alert-types.ts";
import { type AlertSpan, type GoneAlert, movedAlerts } from "../../src/domain/alerts/moved.ts";
import { forAll } from "../support/for-all.ts";
import { randomNumbers, shuffled } from "../support/random-drive.ts";

const minuteMs = 60_000;
const begin = Date.UTC(2026, 0, 1);
const always = () => true;

function alert(id: string, minute: number, fields: Partial<GoneAlert> = {}): GoneAlert {
  const occurredAt = begin + minute * minuteMs;
  const rest = { alertType: "geofence_exit", fenceId: "yard", severity: "info", isAcknowledged: true } as const;
  return { id, occurredAt, endedAt: occurredAt, knownAt: null, ...rest, ...fields };
}

function moves(gone: readonly GoneAlert[], coming: readonly AlertSpan[]): string[] {
  return movedAlerts(gone, coming, always)
    .map(({ from, to }) => `${from.id} ${to.id}`)
    .sort();
}

describe("an alert that comes has the place of one that goes", () => {
  test("if it begins within ten minutes or overlaps it", () => {
    const at = (minute: number) => moves([alert("a", 0)], [alert("b", minute, { isAcknowledged: false })]).length;
    expect([-10.01, -10, 0, 10, 10.01].map(at)).toEqual([0, 1, 1, 1, 0]);
    const lasting = alert("a", 0, { endedAt: begin + 30 * minuteMs });
    const during = (minute: number) => moves([lasting], [alert("b", minute, { isAcknowledged: false })]).length;
    expect([29, 30, 31].map(during)).toEqual([1, 1, 0]);
    const open = alert("b", -60, { endedAt: null, isAcknowledged: false });
    expect(moves([lasting], [open])).toEqual(["a b"]);
  });

  test("if it is of the same type, fence and rule", () => {
    const gone = alert("a", 0);
    expect(moves([gone], [alert("b", 1, { fenceId: "depot", isAcknowledged: false })])).toEqual([]);
    expect(moves([gone], [alert("b", 1, { alertType: "geofence_enter", isAcknowledged: false })])).toEqual([]);
    expect(movedAlerts([gone], [alert("b", 1, { isAcknowledged: false })], () => false)).toEqual([]);
  });

  test("if it is not more severe", () => {
    const open = (from: GoneAlert["severity"]) =>
      severities.filter((severity) => {
        const coming = alert("b", 1, { severity, isAcknowledged: false });
        return moves([alert("a", 0, { severity: from })], [coming]).length > 0;
      });
    expect(severities.map(open)).toEqual([["info"], ["info", "warning"], ["info", "warning", "critical"]]);
  });

  test("the nearest first, and one to one", () => {
    const coming = [alert("x", 2, { isAcknowledged: false }), alert("y", 6, { isAcknowledged: false })];
    expect(moves([alert("a", 0), alert("b", 5)], coming)).toEqual(["a x", "b y"]);
    expect(moves([alert("a", 0), alert("b", 3)], coming.slice(0, 1))).toEqual(["b x"]);
  });

  test("of an acknowledged one, though one that nobody acknowledged is nearer", () => {
    const open = alert("a", 0, { isAcknowledged: false });
    const [x, y] = [alert("x", 1, { isAcknowledged: false }), alert("y", 9, { isAcknowledged: false })];
    expect(moves([open, alert("b", 3)], [x, y])).toEqual(["a x", "b y"]);
    // What a mail said of the other goes there, too.
    expect(moves([open, alert("b", 3)], [x])).toEqual(["a x", "b x"]);
  });

  test("though the nearest would leave another without a place", () => {
    const coming = [alert("x", 8, { isAcknowledged: false }), alert("y", 17, { isAcknowledged: false })];
    expect(moves([alert("a", 0), alert("b", 9)], coming)).toEqual(["a x", "b y"]);
  });

  test("unless people dealt with the other long before it began, and it went before", () => {
    const knownAt = begin + minuteMs;
    const at = (minute: number, known: number | null) =>
      moves([alert("a", 0, { knownAt: known })], [alert("b", minute, { isAcknowledged: false })]).length;
    expect([at(2, knownAt), at(2.01, knownAt), at(5, knownAt), at(5, null)]).toEqual([1, 0, 0, 1]);
    // The tracker's clock may be ahead.
    expect(at(0.5, begin - 60 * minuteMs)).toBe(1);
  });
});

const anyAlert = (prefix: string) =>
  fc
    .array(
      fc.record({
        minute: fc.integer({ min: 0, max: 40 }),
        lasts: fc.option(fc.integer({ min: 0, max: 15 })),
        severity: fc.constantFrom(...severities),
        fenceId: fc.constantFrom("yard", "depot"),
        isAcknowledged: fc.boolean(),
      }),
      { maxLength: 12 },
    )
    .map((all) =>
      all.map(({ minute, lasts, ...fields }, index) =>
        alert(`${prefix}${index}`, minute, {
          endedAt: lasts === null ? null : begin + (minute + lasts) * minuteMs,
          ...fields,
        }),
      ),
    );

describe("whatever alerts go and come", () => {
  test("each acknowledgement goes to one alert at most, each alert gets one, and none is left that has a place", () => {
    forAll(500, [anyAlert("g"), anyAlert("c"), fc.integer()], (gone, coming, order) => {
      const found = moves(gone, coming);
      const byId = new Map([...gone, ...coming].map((one) => [one.id, one]));
      const pairs = found.map((pair) => pair.split(" ").map((id) => byId.get(id)) as [GoneAlert, AlertSpan]);
      const carried = pairs.filter(([from]) => from.isAcknowledged);
      expect(new Set(pairs.map(([from]) => from.id)).size).toBe(pairs.length);
      expect(new Set(carried.map(([, to]) => to.id)).size).toBe(carried.length);
      for (const [from, to] of pairs) {
        expect(severities.indexOf(to.severity)).toBeLessThanOrEqual(severities.indexOf(from.severity));
        expect([to.fenceId, from.isAcknowledged && to.isAcknowledged]).toEqual([from.fenceId, false]);
      }
      for (const lost of gone.filter((one) => one.isAcknowledged && !carried.some(([from]) => from === one))) {
        const free = coming.filter((to) => !to.isAcknowledged && !carried.some(([, other]) => other === to));
        expect(moves([lost], free)).toEqual([]);
      }
      const random = randomNumbers(order);
      expect(moves(shuffled(gone, random), shuffled(coming, random)).length).toBe(found.length);
    });
  });

  test("none of many is lost that all moved by up to ten minutes the same way", () => {
    forAll(
      200,
      [fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 40 }), fc.integer({ min: -600, max: 600 })],
      (gaps, shift) => {
        let second = 0;
        const gone = gaps.map((gap, index) => {
          second += gap;
          return alert(`g${index}`, second / 60);
        });
        const coming = gone.map((one, index) => ({
          ...one,
          id: `c${index}`,
          occurredAt: one.occurredAt + shift * 1000,
          endedAt: one.occurredAt + shift * 1000,
          isAcknowledged: false,
        }));
        expect(moves(gone, coming).length).toBe(gone.length);
      },
    );
  });
});
