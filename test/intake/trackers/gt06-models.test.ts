import { expect, test } from "bun:test";
import { gt06 } from "../../../src/intake/trackers/gt06/family.ts";
import { onEachEngine } from "../../support/engines.ts";
import { device, fleetText, smallFleet } from "../../support/fleet.ts";
import { runOdograph } from "../../support/program.ts";
import { storedFrames } from "../../support/stored-frames.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import { encodeAlarm, encodeLogin, gt06Sample as fix } from "../../support/trackers/gt06-encoder.ts";
import { serveTrackers } from "../../support/trackers/tracker-server.ts";
import { WireTracker } from "../../support/trackers/wire-tracker.ts";

/** 28.34 V and three bars; of another tracker it would be 11 % and a signal of 18. */
const r11Heartbeat = Uint8Array.fromHex("78780a13460b120400160642c20d0a");

/** As a tracker of a device with this model is decoded, from the login on. */
function decodeAs(model: string | null, message: Uint8Array) {
  const login = encodeLogin("356307042441013", 1);
  const session = gt06.ofModel?.(gt06.begin(), model) ?? gt06.begin();
  return gt06.decode(message, gt06.decode(login, session, receivedAt).session, receivedAt);
}

test("a heartbeat has the voltage where the model has it, whatever it could be otherwise", () => {
  const read = (model: string | null, hex: string) => {
    const { frames, unread } = decodeAs(model, Uint8Array.fromHex(hex));
    return [frames[0]?.battery_percent, frames[0]?.external_voltage_v, unread];
  };
  const [r11, lw4g, seeworld] = [
    r11Heartbeat.toHex(),
    "78780a13560604f0830ccf986f0d0a",
    "78780a134506560b0102242b850d0a",
  ];
  const [behind, behindLevel] = ["signal, port or voltage, language", "level of the battery or voltage of the vehicle"];
  expect(read("Lantrix R11", r11)).toEqual([null, 28.34, [behind]]);
  expect(read("LW4G-4B", lw4g)).toEqual([100, 13.1, ["signal"]]);
  expect(read("Seeworld", seeworld)).toEqual([100, 11, ["signal", behind]]);
  // What is no model of these, and a maker with several models, is told from the bytes or left out.
  for (const model of [null, "", "GT06N", "R110", "Seeworld GL21L", "SLW4"]) {
    expect(read(model, r11), model ?? "none").toEqual([null, null, [behindLevel, behind]]);
    expect(read(model, lw4g).slice(0, 2), model ?? "none").toEqual([100, null]);
    expect(read(model, seeworld).slice(0, 2), model ?? "none").toEqual([100, null]);
  }
});

test("an alarm that models number differently is that of the model; 0x28 of no model that we know is named", () => {
  const read = (model: string | null, alarm: number) => {
    const { frames, unread } = decodeAs(
      model,
      encodeAlarm(fix, { ignition: true, level: 6, statusAlarm: 0, alarm }, 1),
    );
    return [frames[0]?.event, unread.includes(`alarm 0x${alarm.toString(16)}`)];
  };
  expect([null, "GT06N", "R11"].map((model) => read(model, 0x28))).toEqual(Array(3).fill([null, true]));
  expect(["JM-VL103", "LL303", "VL512", "Wanway G18"].map((model) => read(model, 0x28))).toEqual(
    Array(4).fill(["power_off", false]),
  );
  expect([0x28, 0x29].map((alarm) => read("SEEWORLD", alarm)[0])).toEqual(["harsh_cornering", "crash"]);
  expect([0x18, 0x19].map((alarm) => read("LW4G", alarm)[0])).toEqual(["crash", "harsh_acceleration"]);
  expect([0x18, 0x19, 0x29].map((alarm) => read(null, alarm)[0])).toEqual([
    ...["tampering", "low_battery", "harsh_acceleration"],
  ]);
});

onEachEngine("the tracker_model of a device", (engine) => {
  test("decides how the real program reads its tracker", async () => {
    const store = await engine.fresh();
    const { acme, olga } = smallFleet;
    const imeis = ["351234567890101", "351234567890102"];
    const models = ["R11", null];
    const devices = imeis.map((imei, index) =>
      device(101 + index, { account_id: acme.id, imei, tracker_model: models[index] ?? null }),
    );
    expect((await runOdograph(["load", "-"], { ...store, input: fleetText([acme, olga, ...devices]) })).code).toBe(0);
    const server = await serveTrackers(store);
    for (const imei of imeis) {
      const tracker = new WireTracker("gt06", imei, server.ports.gt06);
      expect([await tracker.connect(), await tracker.send(r11Heartbeat)]).toEqual([true, true]);
      tracker.close();
    }
    await server.kill();
    const stored = (await storedFrames(store.database)).sort((one, other) => one.device - other.device);
    expect(stored.map((frame) => [frame.external_voltage_v, frame.battery_percent, frame.ignition])).toEqual([
      [28.34, null, true],
      [null, null, true],
    ]);
  });
});
