import { expect, test } from "bun:test";
import type { Position, Trip } from "../../src/portal/page/api/records.ts";
import { formatAge, formatDuration, formatTime, humanise } from "../../src/portal/page/common/format.ts";
import { curlLine } from "../../src/portal/page/keys/curl-line.ts";
import {
  dayOf,
  dayWindow,
  frameAt,
  isDay,
  playFrom,
  shiftDay,
  stopsBetween,
  summarise,
} from "../../src/portal/page/playback/day.ts";
import { rejectWords } from "../../src/portal/page/playback/reject-words.ts";
import { segments } from "../../src/portal/page/playback/route-shapes.ts";
import { grouped, keyWords, seriesByEndpoint, total } from "../../src/portal/page/usage/tally.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 14, 8, minute)).toISOString();

function frame(minute: number, fields: Partial<Position> = {}): Position {
  const place = { latitude: 53 + minute / 100, longitude: 10, speed_kmh: 50, valid: true, discontinuity: false };
  return { recorded_at: at(minute), ...place, ...fields } as Position;
}

function trip(from: number, to: number | null): Trip {
  const end = to === null ? null : { latitude: 53, longitude: 10 };
  const figures = { distance_km: 10, duration_s: 600, idle_s: 60 };
  return { started_at: at(from), ended_at: to === null ? null : at(to), end, ...figures } as Trip;
}

test("a day has the hours of the calendar, and its neighbours are days", () => {
  const { from, to } = dayWindow("2026-11-14", true);
  expect([from, to]).toEqual([Date.UTC(2026, 10, 14), Date.UTC(2026, 10, 15)]);
  expect(dayOf(to - 1, true)).toBe("2026-11-14");
  expect(dayOf(dayWindow("2026-03-29", false).from, false)).toBe("2026-03-29");
  expect([shiftDay("2026-03-01", -1), shiftDay("2026-12-31", 1)]).toEqual(["2026-02-28", "2027-01-01"]);
});

test("a day that the calendar does not have is none", () => {
  const days = ["2026-11-14", "2028-02-29", "2026-13-45", "2026-02-29", "0000-00-00", "nonsense", "2026-11-14T00", ""];
  expect(days.filter(isDay)).toEqual(["2026-11-14", "2028-02-29"]);
});

test("playing starts shortly before the first trip, and never before the first frame", () => {
  const begin = Date.parse(at(0));
  expect(playFrom([trip(30, 40), trip(50, 59)], begin)).toBe(Date.parse(at(29)));
  expect(playFrom([trip(0, 40)], begin)).toBe(begin);
  expect(playFrom([], begin)).toBe(begin);
});

test("a stop lies between two trips, and none after the last", () => {
  expect(stopsBetween([trip(0, 10), trip(25, 30), trip(30, null)])).toEqual([
    { from: Date.parse(at(10)), to: Date.parse(at(25)), latitude: 53, longitude: 10 },
  ]);
});

test("a day's figures leave out the speed of frames that are not believed, and count them", () => {
  const frames = [frame(0), frame(1, { speed_kmh: 300, valid: false }), frame(2, { speed_kmh: null })];
  expect(summarise([trip(0, 10), trip(20, 30)], frames)).toEqual({
    distanceKm: 20,
    drivingS: 1200,
    idleS: 120,
    maxSpeedKmh: 50,
    rejected: 1,
  });
  expect(summarise([], []).maxSpeedKmh).toBeNull();
});

test("the vehicle is where its newest frame was, and before the first one where it began", () => {
  const track = [frame(0), frame(10), frame(20)];
  const minuteOf = (iso: string) => frameAt(track, Date.parse(iso))?.recorded_at;
  expect(minuteOf("2026-11-14T00:00:00Z")).toBe(at(0));
  expect(minuteOf(at(10))).toBe(at(10));
  expect(minuteOf("2026-11-14T08:19:59.999Z")).toBe(at(10));
  expect(minuteOf("2026-11-15T00:00:00Z")).toBe(at(20));
  expect(frameAt([], 0)).toBeNull();
});

test("a way is cut where the vehicle was found somewhere else, and a single point is no way", () => {
  const track = [frame(0), frame(1), frame(2, { discontinuity: true }), frame(3), frame(4, { discontinuity: true })];
  expect(segments(track).map((line) => line.length)).toEqual([2, 2]);
});

test("every reason for a rejection has words", () => {
  expect(rejectWords("no_fix")).toBe("The tracker had no satellite fix");
  expect(rejectWords("something new")).toBe("Not believed");
});

test("calls are added up by name, and beyond what can be told apart as others", () => {
  const row = (endpoint: string, requests: number, date = "2026-11-14") => {
    const key = { key_id: "k", key_name: "Key", key_prefix: "odo_abcd" };
    return { ...key, endpoint, date, requests, not_modified: 1, refused: 0, errors: 0 };
  };
  const rows = [row("/a", 1), row("/b", 5), row("/b", 2, "2026-11-15")];
  expect(total(rows)).toEqual({ requests: 8, not_modified: 3, refused: 0, errors: 0 });
  expect(grouped(rows, ({ endpoint }) => endpoint).map(({ name, requests }) => [name, requests])).toEqual([
    ["/b", 7],
    ["/a", 1],
  ]);
  const days = ["2026-11-14", "2026-11-15"];
  expect(seriesByEndpoint(days, rows)).toEqual([
    { name: "/b", values: [5, 2] },
    { name: "/a", values: [1, 0] },
  ]);
  const refusals = [row("/a", 1), { ...row("/b", 5), refused: 3 }];
  expect(seriesByEndpoint(days, refusals, "refused")).toEqual([
    { name: "/b", values: [3, 0] },
    { name: "/a", values: [0, 0] },
  ]);
  const successor = { ...row("/a", 1), key_id: "l", key_prefix: "odo_efgh" };
  expect(rows.map(keyWords(rows))).toEqual(["Key", "Key", "Key"]);
  const both = [row("/a", 1), successor];
  expect(both.map(keyWords(both))).toEqual(["Key (odo_abcd…)", "Key (odo_efgh…)"]);
  const many = "abcdefg".split("").map((name, index) => row(`/${name}`, 10 - index));
  expect(seriesByEndpoint(days, many).map(({ name }) => name)).toEqual(["/a", "/b", "/c", "/d", "/e", "others"]);
});

test("the line for the terminal asks for something that the key may read", () => {
  expect(curlLine("http://h/v1", "odo_x", ["trips:read"])).toBe(
    "curl -H 'Authorization: Bearer odo_x' 'http://h/v1/trips'",
  );
});

test("times and numbers are written as people read them", () => {
  expect([0, 59_000, 60_000, 3_600_000, 40 * 3_600_000, 72 * 3_600_000].map(formatAge)).toEqual([
    "just now",
    "just now",
    "1 min ago",
    "1 h ago",
    "40 h ago",
    "3 days ago",
  ]);
  expect([60, 3540, 3600, 11_640].map(formatDuration)).toEqual(["1 min", "59 min", "1 h 00 min", "3 h 14 min"]);
  expect(formatTime(Date.UTC(2026, 10, 14, 23, 30), "minute", "Europe/Berlin")).toBe("15 Nov 2026, 00:30");
  expect(humanise("geofence_enter")).toBe("Geofence enter");
});
