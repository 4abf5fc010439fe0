import { describe, expect, test } from "bun:test";
import { meitrack } from "../../../src/intake/trackers/meitrack/family.ts";
import { bytes, imei } from "../../support/trackers/one-message.ts";

/** A whole message of this content, with its length and sum. */
function message(content: string): Uint8Array {
  const summed = `$$A${content.length + imei.length + 7},${imei},${content}*`;
  const sum = [...bytes(summed)].reduce((total, byte) => total + byte, 0) % 256;
  return bytes(`${summed}${sum.toString(16).padStart(2, "0").toUpperCase()}\r\n`);
}

function read(model: string | null, { event = 35, ports = "0000", analogue = "0000|0000|0000|09D5|03E3" } = {}) {
  const content = `AAA,${event},52.500000,13.400000,260601120000,A,9,12,50,90,0.9,34,1000,60,1|2|3|4,${ports},${analogue},,,1,0000`;
  const session = meitrack.ofModel?.(meitrack.begin(), model) ?? meitrack.begin();
  const { frames, problem } = meitrack.decode(message(content), session, 0);
  expect(problem).toBeNull();
  return { ignition: frames[0]?.ignition, volts: frames[0]?.external_voltage_v, event: frames[0]?.event };
}

describe("the model that the owner wrote", () => {
  test.each([
    ["MVT100", "0200", "FD00"],
    ["MVT340", "0200", "FD00"],
    ["Meitrack T322X", "0200", "FD00"],
    ["t333", "0400", "FB00"],
    ["MVT600", "0400", "FB00"],
    ["T1", "0400", "FB00"],
    ["mvt380", "0800", "F700"],
    ["MVT800", "0800", "F700"],
  ])("%s says which input the key is wired to", (model, on, off) => {
    expect([read(model, { ports: on }).ignition, read(model, { ports: off }).ignition]).toEqual([true, false]);
  });

  test.each([null, "", "P99G", "T311", "MT90", "T33", "MVT3800"])("%s: inputs are no ignition", (model) => {
    expect(read(model, { ports: "FF00" }).ignition).toBeNull();
  });

  test("an event that says so is the ignition, whatever the input is", () => {
    expect([read("T1", { event: 144 }).ignition, read("T1", { event: 145, ports: "0400" }).ignition]).toEqual([
      true,
      false,
    ]);
  });

  test.each([
    // 995 steps of the supply's measurement.
    ["MVT380", 46.64],
    ["T1", 12.83],
    ["TC68S", 12.83],
    ["T333", 9.95],
    ["MT90", null],
    [null, null],
  ])("%s says on which scale the voltage is: %p V", (model, volts) => {
    expect(read(model).volts ?? null).toBe(volts);
  });

  test("without the model, the battery shows whether it is volts", () => {
    expect(read(null, { analogue: "0000|0000|0000|018D|04F0" }).volts).toBe(12.64);
  });
});

test("what fell, and what was taken off, are events", () => {
  expect([read(null, { event: 79 }).event, read(null, { event: 81 }).event]).toEqual(["fall_down", "tampering"]);
});

test("a stored position is deleted in the tracker once it is here, over UDP only", () => {
  const stored = message(
    "AFF,0004,35,52.500000,13.400000,260601120000,A,9,12,50,90,0.9,34,1000,60,1|2|3|4,0000,|||0A22|0000,,,1,0000",
  );
  const udp = meitrack.decode(stored, meitrack.begin("udp"), 0);
  expect(udp.frames.length).toBe(1);
  // As in the maker's example: the length counts from the first comma.
  const text = Buffer.from(udp.reply ?? []).toString("latin1");
  expect(text).toMatch(/^@@A27,352093081234567,AFF,1\*[\dA-F]{2}\r\n$/);
  expect(text.length - text.indexOf(",")).toBe(27);
  expect(meitrack.decode(stored, meitrack.begin("tcp"), 0).reply).toBeNull();
  expect(meitrack.decode(message("AFF,OK"), meitrack.begin("udp"), 0)).toMatchObject({ problem: null, reply: null });
});
