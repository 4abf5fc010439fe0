import { expect, test } from "bun:test";
import fc from "fast-check";
import { budgetOf, openFilesIn, readOpenFiles } from "../../../src/intake/trackers/sockets/open-files.ts";
import { type PlaceLimits, Places } from "../../../src/intake/trackers/sockets/places.ts";
import { forAll } from "../../support/for-all.ts";

const wide: PlaceLimits = { all: 100, beforeLogin: 50, ofAddress: 100, readOfAddress: 50 };

function enterAll(places: Places<string>, ...names: readonly string[]) {
  return names.map((name) => places.enter(name, name.slice(0, 1)));
}

test("the next one gets the turn of the one that has had it for longest, which waits for another", () => {
  const places = new Places<string>({ ...wide, readOfAddress: 2 }, () => false);
  const entered = enterAll(places, "a1", "a2", "a3", "a4", "a5", "b1");
  expect(entered.map(({ state }) => state)).toEqual(entered.map(() => "before_login"));
  expect(entered.map(({ paused }) => paused)).toEqual([null, null, "a1", "a2", "a3", null]);
  expect(places.login("a4")).toBe("a1");
  expect(places.leave("a2")).toBeNull();
  expect(places.end("a5")).toBe("a3");
  expect(places.leave("a5")).toBeNull();
  expect(places.counts).toEqual({ waiting: 0, before_login: 3, ended: 0, logged_in: 1 });
});

test("a socket that has said who it is keeps its turn, and the next waits if all of them have", () => {
  const owed = new Set(["a1"]);
  const places = new Places<string>({ ...wide, readOfAddress: 2 }, (socket) => owed.has(socket));
  enterAll(places, "a1", "a2");
  expect(places.enter("a3", "a").paused).toBe("a2");
  owed.add("a3");
  expect(places.enter("a4", "a")).toMatchObject({ state: "waiting", paused: null });
  // It may have said so while it waits.
  expect(places.login("a2")).toBeNull();
  expect(places.login("a1")).toBe("a4");
  expect(places.counts).toEqual({ waiting: 0, before_login: 2, ended: 0, logged_in: 2 });
});

test("who floods pushes out itself", () => {
  const places = new Places<string>({ ...wide, beforeLogin: 4 }, () => false);
  enterAll(places, "b1", "a1", "a2", "a3");
  expect(places.enter("a4", "a").pushedOut).toBe("a1");
  expect(places.enter("c1", "c").pushedOut).toBe("a2");
  expect(places.stateOf("b1")).toBe("before_login");
});

test("a socket that has said who it is keeps its place, until it is sent away", () => {
  const places = new Places<string>({ ...wide, beforeLogin: 4 }, (socket) => socket === "a1");
  enterAll(places, "a1", "a2", "a3", "b1");
  expect(places.enter("c1", "c").pushedOut).toBe("a2");
  places.end("a1");
  // Two of a, the ended one behind the other.
  expect(places.enter("c2", "c").pushedOut).toBe("a3");
  expect(places.leave("c2")).toBeNull();
  expect(places.enter("a4", "a").pushedOut).toBeNull();
  expect(places.enter("b2", "b").pushedOut).toBe("a1");
});

test("an address that is full pushes out its own, and nobody if all of them are logged in", () => {
  const places = new Places<string>({ ...wide, ofAddress: 2 }, () => false);
  enterAll(places, "b1", "b2", "a1", "a2");
  expect(places.enter("a3", "a")).toMatchObject({ state: "before_login", pushedOut: "a1" });
  for (const name of ["a2", "a3"]) places.login(name);
  expect(places.enter("a4", "a")).toEqual({ state: null, pushedOut: null, next: null, paused: null });
  expect(places.stateOf("b1")).toBe("before_login");
});

type Step = readonly ["enter" | "login" | "end" | "leave" | "owed", number];
const steps = fc.array(
  fc.tuple(
    fc.constantFrom("enter", "enter", "enter", "login", "end", "leave", "owed") as fc.Arbitrary<Step[0]>,
    fc.nat(40),
  ),
  { maxLength: 300 },
);
const anyLimits = fc.record({
  all: fc.integer({ min: 1, max: 20 }),
  beforeLogin: fc.integer({ min: 1, max: 12 }),
  ofAddress: fc.integer({ min: 1, max: 10 }),
  readOfAddress: fc.integer({ min: 1, max: 4 }),
});

test("whatever happens, all limits hold, turns are kept, and nobody who is logged in is pushed out", () => {
  forAll(500, [anyLimits, steps], (limits, events) => {
    const owed = new Set<string>();
    const places = new Places<string>(limits, (socket) => owed.has(socket));
    const present: string[] = [];
    const states = () => present.map((socket) => places.stateOf(socket));
    /** In the order in which they began to wait. */
    const queue: string[] = [];
    let number = 0;
    for (const [event, value] of events) {
      const before = new Map(present.map((socket) => [socket, places.stateOf(socket)]));
      const chosen = present[value % Math.max(present.length, 1)] ?? "";
      let next: string | null = null;
      let paused: string | null = null;
      if (event === "enter") {
        const socket = `${value % 4} ${number++}`;
        const entry = places.enter(socket, socket.slice(0, 1));
        const { state, pushedOut } = entry;
        ({ next, paused } = entry);
        if (paused !== null) {
          expect(paused === next || before.get(paused) === "before_login").toBe(true);
          expect(owed.has(paused)).toBe(false);
        }
        if (pushedOut !== null) {
          expect(before.get(pushedOut)).not.toBe("logged_in");
          expect(owed.has(pushedOut) && before.get(pushedOut) !== "ended").toBe(false);
          present.splice(present.indexOf(pushedOut), 1);
        }
        if (state !== null) present.push(socket);
        if (state === "waiting") {
          // There was nobody whose turn could be over.
          const read = [...before].filter(
            ([one, was]) => was === "before_login" && one[0] === socket[0] && one !== pushedOut,
          );
          expect(read.filter(([one]) => !owed.has(one))).toEqual([]);
        } else if (state === null) {
          // There was nobody who could go.
          const silent = [...before].filter(([one, was]) => was !== "logged_in" && !(owed.has(one) && was !== "ended"));
          const isFullForIt = present.filter((one) => one[0] === socket[0]).length >= limits.ofAddress;
          expect(silent.filter(([one]) => !isFullForIt || one[0] === socket[0])).toEqual([]);
        }
      } else if (event === "owed") {
        owed.add(chosen);
      } else {
        next = places[event](chosen);
        if (event === "leave" && chosen !== "") present.splice(present.indexOf(chosen), 1);
      }
      if (next !== null) {
        const waited = queue.filter((one) => one[0] === next?.[0] && present.includes(one));
        expect(waited.find((one) => event === "enter" || one !== chosen) ?? null).toBe(next);
      }
      const isWaiting = (one: string) => places.stateOf(one) === "waiting" && one !== paused;
      const stillWaiting = queue.filter(isWaiting);
      const begun = present.filter((one) => isWaiting(one) && !stillWaiting.includes(one));
      queue.splice(0, queue.length, ...stillWaiting, ...begun, ...(paused === null ? [] : [paused]));
      for (const [socket, was] of before) {
        if (was === "logged_in" && !(event === "leave" && socket === chosen)) {
          expect(places.stateOf(socket)).toBe("logged_in");
        }
      }
      expect(present.length).toBeLessThanOrEqual(limits.all);
      expect(states().filter((state) => state !== "logged_in").length).toBeLessThanOrEqual(limits.beforeLogin);
      for (const address of "0123") {
        const ofAddress = present.filter((one) => one[0] === address);
        const read = ofAddress.filter((one) => places.stateOf(one) === "before_login").length;
        expect(ofAddress.length).toBeLessThanOrEqual(limits.ofAddress);
        expect(read).toBeLessThanOrEqual(limits.readOfAddress);
        const isSomebodyWaiting = ofAddress.some((one) => places.stateOf(one) === "waiting");
        if (isSomebodyWaiting) expect(read).toBe(limits.readOfAddress);
      }
      const counted = Object.values(places.counts).reduce((sum, count) => sum + count, 0);
      expect(counted).toBe(present.length);
    }
  });
});

test("a newcomer costs the same among many as among few", () => {
  const cost = (beforeLogin: number) => {
    const places = new Places<number>({ all: 50_000, beforeLogin, ofAddress: 25_000, readOfAddress: 500 }, () => false);
    for (let number = 0; number < beforeLogin; number++) places.enter(number, String(number % 3));
    const began = process.cpuUsage();
    for (let number = 0; number < 30_000; number++) places.enter(beforeLogin + number, String(number % 3));
    expect(places.counts.waiting + places.counts.before_login).toBe(beforeLogin);
    return process.cpuUsage(began).user;
  };
  cost(500);
  // If it looked through them, it would be fifty times as much.
  expect(cost(25_000)).toBeLessThan(15 * cost(500));
});

test("a budget leaves files for all else, at any limit", () => {
  expect(budgetOf(1_024)).toMatchObject({ keptFree: 256, places: { all: 768, beforeLogin: 384, readOfAddress: 500 } });
  expect(budgetOf(4_096)).toMatchObject({ keptFree: 1_024, places: { all: 3_072, beforeLogin: 1_536 } });
  // As the unit file and compose.yaml have it.
  expect(budgetOf(65_536)).toMatchObject({ keptFree: 8_192, places: { all: 50_000, beforeLogin: 25_000 } });
  forAll(200, [fc.integer({ min: 64, max: 2_000_000 })], (openFiles) => {
    const { keptFree, places } = budgetOf(openFiles);
    expect(places.all + keptFree).toBeLessThanOrEqual(openFiles);
    expect(keptFree).toBeGreaterThanOrEqual(Math.min(256, Math.floor(openFiles / 2)));
    expect(places.beforeLogin).toBeLessThanOrEqual(places.all / 2);
    expect(places.beforeLogin).toBeGreaterThan(0);
  });
});

test("the limit of open files is the system's", async () => {
  expect(
    openFilesIn("Max processes  1  1\nMax open files            1024                 4096                 files\n"),
  ).toBe(1_024);
  expect(openFilesIn("Max open files            unlimited            unlimited            files\n")).toBe(
    Number.MAX_SAFE_INTEGER,
  );
  expect(openFilesIn("")).toBeNull();
  expect(await readOpenFiles()).toBeGreaterThan(64);
});
