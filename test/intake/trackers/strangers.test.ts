import { expect, test } from "bun:test";
import { DigestSet } from "../../../src/intake/trackers/gate/digest-set.ts";
import { TrackerDirectory } from "../../../src/intake/trackers/gate/directory.ts";
import { Gate } from "../../../src/intake/trackers/gate/gate.ts";
import { KnownNames, type ReadNames } from "../../../src/intake/trackers/gate/known-names.ts";
import { Strangers } from "../../../src/intake/trackers/gate/strangers.ts";
import type { Transport } from "../../../src/intake/trackers/kit/family.ts";
import { limits } from "../../../src/intake/trackers/limits.ts";
import type { Observation } from "../../../src/observe/observation.ts";
import { toyFamily } from "../../support/trackers/toy-family.ts";

const imei = "356307042441013";
const address = "192.0.2.7";

function gate(names: string[]) {
  const seen: Observation[] = [];
  const asked: string[] = [];
  const clock = { now: Date.UTC(2026, 10, 17) };
  const strangers = new Strangers(
    () => clock.now,
    (observation) => seen.push(observation),
  );
  const readNames: ReadNames = async (after) => {
    const from = after?.change ?? 0;
    return { keys: names.slice(from), place: { key: null, change: names.length }, isLast: true };
  };
  const gone = new Set<string>();
  const directory = new TrackerDirectory(async (identities) => {
    asked.push(...identities);
    const found = names.filter((name) => identities.has(name) && !gone.has(name));
    return new Map(found.map((name) => [name, { imei: name, accountId: 1, protocol: null, model: null }]));
  });
  const opened = new Gate({ networks: null, names: new KnownNames(readNames), directory, strangers });
  const find = (identity: string, over: Transport = "tcp", from = address) =>
    opened.find({ identity, family: toyFamily, address: from, over });
  return { gate: opened, find, strangers, seen, asked, clock, names, gone };
}

const stranger = (number: number) => String(100_000_000_000_000 + number);

test("strangers cost no look-up, and however many come at once, no more than the budget is noted", async () => {
  const { gate: opened, find, asked } = gate([imei]);
  await opened.refresh();
  const answers = Array.from({ length: 1_500 }, (_, number) => find(stranger(number)));
  expect(answers.filter((answer) => answer === "unknown").length).toBe(limits.unknownPerSecond);
  expect(answers.filter((answer) => answer === "too_many_unknown").length).toBe(1_500 - limits.unknownPerSecond);
  expect(await find(imei)).toMatchObject({ imei });
  expect(asked).toEqual([imei]);
});

test("a stranger is let in as soon as it is a device, and a device that is gone is a stranger", async () => {
  const { gate: opened, find, names, gone } = gate([imei]);
  await opened.refresh();
  expect(find(stranger(1))).toBe("unknown");
  names.push(stranger(1));
  await opened.refresh();
  expect(await find(stranger(1))).toMatchObject({ imei: stranger(1) });
  // Removed, and entered again.
  gone.add(imei);
  expect(await find(imei)).toBe("unknown");
  gone.delete(imei);
  names.push(imei);
  await opened.refresh();
  expect(await find(imei)).toMatchObject({ imei });
});

test("however a protocol fills up a name, it is known", async () => {
  const { gate: opened, find, asked } = gate(["abc-17", "35123456789012"]);
  await opened.refresh();
  for (const name of ["ABC-17", "0035123456789012", "35123456789012"]) await find(name);
  expect(asked).toEqual(["ABC-17", "0035123456789012", "35123456789012"]);
});

test("who calls before all names are read waits, unless its own is among those that are", async () => {
  const pages = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const names = new KnownNames(async (after) => {
    const number = after?.change ?? 0;
    await pages[number]?.promise;
    return { keys: [stranger(number)], place: { key: null, change: number + 1 }, isLast: number === 1 };
  });
  const reading = names.refresh();
  pages[0]?.resolve();
  while (!names.has(stranger(0))) await Promise.resolve();
  expect([names.isWhole, names.has(stranger(1))]).toEqual([false, false]);
  const whole = names.whole();
  pages[1]?.resolve();
  await whole;
  expect([await reading, names.isWhole, names.has(stranger(1))]).toEqual([true, true, true]);
});

test("if the names cannot be read, those that wait get the error, and the next attempt goes on from there", async () => {
  const asked: (number | null)[] = [];
  let isBroken = true;
  const names = new KnownNames(async (after) => {
    asked.push(after?.change ?? null);
    if (after !== null && isBroken) throw new Error("gone");
    return { keys: [stranger(1)], place: { key: null, change: 7 }, isLast: after !== null };
  });
  const waiting = names.whole().catch((error: Error) => error.message);
  await expect(names.refresh()).rejects.toThrow("gone");
  expect(await waiting).toBe("gone");
  isBroken = false;
  await names.refresh();
  expect([asked, names.isWhole]).toEqual([[null, 7, 7], true]);
});

test("names that no device has any more are forgotten within the hour", async () => {
  const clock = { now: 0 };
  let all = ["1", "2"];
  const read: ReadNames = async (after) => ({
    keys: after === null ? all : [],
    place: { key: null, change: 0 },
    isLast: true,
  });
  const names = new KnownNames(read, () => clock.now);
  expect([await names.refresh(), await names.refresh()]).toEqual([true, false]);
  all = ["1"];
  clock.now = 3_599_000;
  await names.refresh();
  expect([names.has("1"), names.has("2")]).toEqual([true, true]);
  clock.now = 3_600_000;
  await names.refresh();
  expect([names.has("1"), names.has("2")]).toEqual([true, false]);
});

test("datagrams, from wherever they say they come, use up nothing of others", async () => {
  const { gate: opened, find } = gate([]);
  await opened.refresh();
  const noted = (answers: readonly unknown[]) => answers.filter((answer) => answer === "unknown").length;
  const forged = Array.from({ length: 60_000 }, (_, number) =>
    find(stranger(number), "udp", `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`),
  );
  expect(noted(forged)).toBe(limits.unknownInAll.udp);
  expect(noted(Array.from({ length: 30 }, () => find(stranger(1), "udp")))).toBe(0);
  expect(noted(Array.from({ length: 30 }, () => find(stranger(1), "tcp")))).toBe(limits.unknownPerSecond);
});

test("the log says once a minute how many were refused from where, in a few lines", () => {
  const { strangers, seen, clock } = gate([]);
  const call = (times: number, name: string) => {
    for (let number = 0; number < times; number++) strangers.refuse(name, "tcp");
  };
  call(20, "few");
  strangers.reportDue();
  clock.now += 60_000;
  strangers.reportDue();
  expect(seen).toEqual([]);
  for (let number = 0; number < 9; number++) call(100 + number, `n${number}`);
  clock.now += 30_000;
  strangers.reportDue();
  expect(seen).toEqual([]);
  clock.now += 30_000;
  strangers.reportDue();
  const shown = seen.map((each) => (each.kind === "unknown_trackers_refused" ? [each.address, each.refused] : null));
  expect(shown).toEqual([
    ["n8", 108],
    ["n7", 107],
    ["n6", 106],
    ["n5", 105],
    ["n4", 104],
    ["other addresses", 406],
  ]);
  expect(seen[0]).toMatchObject({ over: "tcp", noted: limits.unknownPerSecond });
  clock.now += 60_000;
  strangers.reportDue();
  expect(seen.length).toBe(6);
});

test("a set of digests has what was added, however often it grows, and nothing else", () => {
  const digests = new DigestSet();
  const names = Array.from({ length: 50_000 }, (_, number) => String(860_000_000_000_000 + 7 * number));
  for (const name of names) digests.add(name);
  for (const name of names) digests.add(name);
  expect(digests.size).toBe(names.length);
  expect(names.every((name) => digests.has(name))).toBe(true);
  expect(names.some((name) => digests.has(`${name}0`))).toBe(false);
});
