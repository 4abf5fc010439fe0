import { expect, test } from "bun:test";
import { MessageLog } from "../../../src/intake/trackers/connection/message-log.ts";
import { families } from "../../../src/intake/trackers/families.ts";

const message = (bytes: number) => ({
  ...{ accountId: 1, receivedAt: 0, family: families.gt06, session: null, outcome: "stored" as const },
  bytes: new Uint8Array(bytes),
});

function filled(devices: number, messages: number, bytes: number): MessageLog {
  const log = new MessageLog();
  for (let round = 0; round < messages; round++)
    for (let device = 0; device < devices; device++) log.add(`imei ${device}`, message(bytes));
  return log;
}

const countsOf = (log: MessageLog, devices: number) =>
  Array.from({ length: devices }, (_, device) => log.of(`imei ${device}`).length);

test("each of ten thousand trackers has its last messages", () => {
  const counts = countsOf(filled(10_000, 8, 120), 10_000);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(4);
});

test("long messages, too: at least the last one", () => {
  const counts = countsOf(filled(10_000, 3, 1_300), 10_000);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
});

test("a few have the last fifty, the newest at the end", () => {
  const log = filled(100, 70, 120);
  expect(new Set(countsOf(log, 100))).toEqual(new Set([50]));
  const numbers = log.of("imei 7").map(({ number }) => number);
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  expect(log.of("imei 7", numbers.at(-3)).length).toBe(2);
});

test("those that have been silent for longest are forgotten first, and one that sends much takes from none that just sent", () => {
  const log = filled(12_000, 1, 1_300);
  const before = countsOf(log, 12_000);
  expect([before[0], before.at(-1)]).toEqual([0, 1]);
  for (let sent = 0; sent < 10_000; sent++) log.add("chatty", message(1_300));
  expect(log.of("chatty").length).toBeGreaterThanOrEqual(1);
  const lost = countsOf(log, 12_000).filter((count, device) => count < (before[device] ?? 0));
  expect(lost.length).toBeLessThanOrEqual(0.05 * 12_000);
});
