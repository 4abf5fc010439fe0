import { expect, test } from "bun:test";
import { rejectReasons } from "../../src/domain/verdict.ts";
import type { Alert, Position, Trip } from "../../src/portal/both-sides/contract/data.ts";
import * as de from "../../src/portal/both-sides/texts/de/index.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import * as es from "../../src/portal/both-sides/texts/es/index.ts";
import * as pt from "../../src/portal/both-sides/texts/pt/index.ts";
import { curlLine } from "../../src/portal/page/keys/curl-line.ts";
import {
  dayToShow,
  eventAt,
  frameAt,
  momentOfAddress,
  playFrom,
  rejectWords,
  spanOf,
  stopsBetween,
  storyOf,
  summarise,
} from "../../src/portal/page/playback/day.ts";
import { findMoment, momentOf, soughtIn } from "../../src/portal/page/playback/find-moment.ts";
import { type DayChange, firstChangedFrame } from "../../src/portal/page/playback/load-day.ts";
import { scrollNeeded } from "../../src/portal/page/playback/scroll-needed.ts";
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

test("slider and plot go from the first frame to the last, believed or not; a day without frames is whole", () => {
  const window = { from: Date.parse("2026-11-14T00:00:00Z"), to: Date.parse("2026-11-15T00:00:00Z") };
  const frames = [frame(3, { valid: false }), frame(10), frame(20, { latitude: null })];
  expect(spanOf(frames, window)).toEqual({ begin: Date.parse(at(3)), end: Date.parse(at(20)) });
  expect(spanOf([], window)).toEqual({ begin: window.from, end: window.to });
});

test("an address names a moment by an instant, and nothing else", () => {
  const asked = [at(5), "2026-11-14T08:05:00+02:00", "2026-11-14", "soon", "", null, "2026-99-99T00:00:00Z"];
  expect(asked.map(momentOfAddress)).toEqual([
    Date.parse(at(5)),
    Date.parse("2026-11-14T06:05:00Z"),
    null,
    null,
    null,
    null,
    null,
  ]);
});

test("the story has trips, stops and alerts in the order in which they began", () => {
  const trips = [trip(0, 10), trip(25, 30)];
  const alerts = [0, 12, 26].map((minute) => ({ alert_id: String(minute), occurred_at: at(minute) }) as Alert);
  const story = storyOf(trips, stopsBetween(trips), alerts);
  expect(story.map(({ kind }) => kind)).toEqual(["trip", "alert", "stop", "alert", "trip", "alert"]);
  expect(story.map((event) => event.at)).toEqual([0, 0, 10, 12, 25, 26].map((minute) => Date.parse(at(minute))));
});

test("what happens at a moment is what began last and is not over; an alert that is over at once, for a minute", () => {
  const trips = [trip(0, 10), trip(25, 40)];
  const alerts = [
    { alert_id: "speeding", occurred_at: at(3), ended_at: at(6) },
    { alert_id: "sos", occurred_at: at(30), ended_at: null },
  ] as Alert[];
  const story = storyOf(trips, stopsBetween(trips), alerts);
  const shown = (minute: number) => {
    const event = eventAt(story, Date.parse(at(minute)));
    return event?.kind === "alert" ? event.alert.alert_id : event && `${event.kind} ${story.indexOf(event)}`;
  };
  expect([-1, 0, 2, 3, 5, 6, 10, 24, 25, 30, 31, 40].map(shown)).toEqual([
    null,
    "trip 0",
    "trip 0",
    "speeding",
    "speeding",
    "trip 0",
    "stop 2",
    "stop 2",
    "trip 3",
    "sos",
    "trip 3",
    null,
  ]);
  expect(eventAt(storyOf([trip(0, null)], [], []), Date.parse(at(59)))?.kind).toBe("trip");
});

test("the fastest moment of a day is found, and the beginning of its longest idling", () => {
  const minuteOf = (found: number | null) => found && (found - Date.parse(at(0))) / 60_000;
  const speeds = [20, 90, null, 90, 40].map((speed_kmh, minute) => frame(minute, { speed_kmh }));
  expect(minuteOf(findMoment("speed", speeds))).toBe(1);
  expect(findMoment("speed", [frame(0, { speed_kmh: 0 }), frame(1, { speed_kmh: null })])).toBeNull();

  const stand = (minute: number, fields: Partial<Position> = {}) =>
    frame(minute, { speed_kmh: 0, ignition: true, ...fields });
  const short = [stand(1), stand(3), frame(4)];
  const long = [stand(5), stand(7, { speed_kmh: 2 }), stand(12), frame(13)];
  expect(minuteOf(findMoment("idling", [...short, ...long]))).toBe(5);
  // Nobody knows what was in a silence, or on the way to where it was found again.
  expect(minuteOf(findMoment("idling", [...short, stand(20), stand(40), frame(41)]))).toBe(1);
  expect(minuteOf(findMoment("idling", [stand(20), stand(24), stand(29, { discontinuity: true }), stand(32)]))).toBe(
    20,
  );
  const parked = [stand(0, { ignition: false }), stand(5, { ignition: false }), stand(6, { ignition: null })];
  expect(findMoment("idling", parked)).toBeNull();
  expect(findMoment("idling", [stand(0), frame(1)])).toBeNull();
  expect(["speed", "idling", "gold", null].map(soughtIn)).toEqual(["speed", "idling", null, null]);
});

test("what is to be found decides on the day, and a moment is shown if there is nothing, if it is of that day", () => {
  const [evening, day] = [Date.parse("2026-11-14T23:30:00Z"), "2026-11-13"];
  const asked = (isSearch: boolean, named: string | null, moment: number | null, zone = "UTC") =>
    dayToShow({ day: named, moment, isSearch }, zone);
  expect([asked(false, day, evening), asked(true, day, evening)]).toEqual(["2026-11-14", day]);
  expect(asked(true, "someday", evening, "Europe/Berlin")).toBe("2026-11-15");
  expect([asked(true, null, null), asked(false, "2026-99-99", null)]).toEqual([null, null]);

  const window = { from: Date.parse(at(0)), to: Date.parse(at(50)) };
  const otherwise = Date.parse(at(20));
  expect(momentOf({ at: otherwise, find: "speed" }, [frame(7)], window)).toBe(Date.parse(at(7)));
  expect(momentOf({ at: otherwise, find: "idling" }, [frame(7)], window)).toBe(otherwise);
  expect(momentOf({ at: window.to, find: "idling" }, [frame(7)], window)).toBeNull();
  expect(momentOf({ at: null, find: null }, [frame(7)], window)).toBeNull();
});

test("the story scrolls only for an entry that is out of sight", () => {
  const outer = { top: 100, bottom: 400 };
  expect(scrollNeeded(outer, { top: 100, bottom: 160 })).toBe(0);
  expect(scrollNeeded(outer, { top: 380, bottom: 440 })).toBe(200);
  expect(scrollNeeded(outer, { top: -50, bottom: 10 })).toBe(-230);
});

test("a day is loaded again from its first changed frame on; whole, if one was removed; not, if frames stayed", () => {
  const window = { from: Date.parse(at(0)), to: Date.parse(at(50)) };
  const put = (minute: number): DayChange => ({ type: "position", id: String(minute), record: frame(minute) });
  const ofTrip: DayChange = { type: "trip", id: "t", record: trip(0, 10) };
  expect(firstChangedFrame([put(30), ofTrip, put(20)], window)).toBe(Date.parse(at(20)));
  expect(firstChangedFrame([put(30), { type: "position", id: "x", record: null }], window)).toBe(window.from);
  expect(firstChangedFrame([ofTrip, put(55)], window)).toBeNull();
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

test("a day's figures tell apart what it was carried, leave out the speed of frames that are not believed, and count them", () => {
  const frames = [frame(0), frame(1, { speed_kmh: 300, valid: false }), frame(2, { speed_kmh: null })];
  const carried = { ...trip(40, 50), distance_km: 0, is_carried: true, carried_km: 7 };
  expect(summarise([trip(0, 10), trip(20, 30), carried], frames)).toEqual({
    distanceKm: 20,
    carriedKm: 7,
    drivenCount: 2,
    drivingS: 1200,
    idleS: 120,
    maxSpeedKmh: 50,
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

test("every reason for a rejection has words", () => {
  for (const { playback: words } of [en, es, pt, de]) {
    const reasons = Object.keys(words.rejectReasons);
    expect(new Set(reasons.map((reason) => rejectWords(reason, words))).size).toBe(reasons.length);
    expect(rejectWords("something new", words)).toBe(words.notBelieved);
  }
  expect(Object.keys(en.playback.rejectReasons).sort()).toEqual([...rejectReasons].sort());
});

test("calls are added up by name, and beyond a limit as others", () => {
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
  expect(seriesByEndpoint(days, rows, "others")).toEqual([
    { name: "/b", values: [5, 2] },
    { name: "/a", values: [1, 0] },
  ]);
  const refusals = [row("/a", 1), { ...row("/b", 5), refused: 3 }];
  expect(seriesByEndpoint(days, refusals, "others", "refused")).toEqual([
    { name: "/b", values: [3, 0] },
    { name: "/a", values: [0, 0] },
  ]);
  const successor = { ...row("/a", 1), key_id: "l", key_prefix: "odo_efgh" };
  expect(rows.map(keyWords(rows))).toEqual(["Key", "Key", "Key"]);
  const both = [row("/a", 1), successor];
  expect(both.map(keyWords(both))).toEqual(["Key (odo_abcd…)", "Key (odo_efgh…)"]);
  const many = "abcdefg".split("").map((name, index) => row(`/${name}`, 10 - index));
  expect(seriesByEndpoint(days, many, "others").map(({ name }) => name)).toEqual([
    "/a",
    "/b",
    "/c",
    "/d",
    "/e",
    "others",
  ]);
});

test("the line for the terminal asks for something that the key may read", () => {
  expect(curlLine("http://h/v1", "odo_x", ["trips:read"])).toBe(
    "curl -H 'Authorization: Bearer odo_x' 'http://h/v1/trips'",
  );
});
