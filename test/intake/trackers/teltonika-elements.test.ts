import { describe, expect, test } from "bun:test";
import type { TrackerEvent } from "../../../src/intake/trackers/kit/events.ts";
import { teltonika } from "../../../src/intake/trackers/teltonika/family.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import { hexNumber, type SentElement, sentData, sentPacket } from "../../support/trackers/teltonika-encoder.ts";

const professionalMark = element(71, 1, 3);

function element(id: number, width: number, value: number): SentElement {
  return { id, value: hexNumber(value, width) };
}

/** What a record with these elements says, beside its place. */
function read(elements: readonly SentElement[], eventId = 0) {
  const place = { time: Date.UTC(2026, 10, 17), longitude: 25.3, latitude: 54.7, satellites: 9 };
  const decoded = teltonika.decode(
    sentPacket("8 extended", [{ ...place, eventId, elements }]),
    teltonika.begin(),
    receivedAt,
  );
  const [frame] = decoded.frames;
  if (frame === undefined) throw new Error("no frame");
  return { frame, events: decoded.frames.map(({ event }) => event), unread: decoded.unread };
}

describe("fields", () => {
  test("ignition is element 239 and nothing else", () => {
    expect(read([element(239, 1, 1)]).frame.ignition).toBe(true);
    expect(read([element(239, 1, 0)]).frame.ignition).toBe(false);
    expect(read([element(1, 1, 1), element(240, 1, 1)]).frame.ignition).toBeNull();
  });

  test("the odometer is 16, or 216 of a professional model that sends no 16", () => {
    const total = element(16, 4, 81_000);
    const other = element(216, 4, 92_000);
    expect(read([total]).frame.odometer_km).toBe(81);
    expect(read([professionalMark, other]).frame.odometer_km).toBe(92);
    expect(read([professionalMark, other, total]).frame.odometer_km).toBe(81);
    expect(read([professionalMark, total, other]).frame.odometer_km).toBe(81);
    expect(read([element(87, 4, 5_000_000), element(199, 4, 70)]).frame.odometer_km).toBeNull();
  });

  test("voltage, battery and dilution have our units", () => {
    const { frame } = read([element(66, 2, 13_871), element(67, 2, 4012), element(113, 1, 87), element(182, 2, 13)]);
    expect(frame).toMatchObject({ external_voltage_v: 13.871, battery_percent: 87, hdop: 1.3 });
  });
});

describe("sensors", () => {
  function temperatures(elements: readonly SentElement[]) {
    return read(elements).frame.sensors.map((sensor) => ({ ...sensor }));
  }
  const temperature = (sensor: string, temperature_c: number | null, humidity_percent: number | null = null) => ({
    kind: "temperature" as const,
    sensor,
    temperature_c,
    humidity_percent,
  });

  test("Dallas temperatures are tenths, in four bytes or in two", () => {
    expect(temperatures([element(72, 4, -184), element(75, 4, 1150)])).toEqual([
      temperature("dallas_1", -18.4),
      temperature("dallas_4", 115),
    ]);
    expect(temperatures([element(73, 2, -5), element(6, 2, 211)])).toEqual([
      temperature("dallas_2", -0.5),
      temperature("dallas_5", 21.1),
    ]);
  });

  test("a Dallas sensor that failed has no temperature", () => {
    for (const error of [850, 2000, 3000, 4000, 5000, -551, 1251])
      expect(temperatures([element(72, 4, error)]), `${error}`).toEqual([]);
    expect(temperatures([element(72, 4, 849), element(73, 4, 851)])).toEqual([
      temperature("dallas_1", 84.9),
      temperature("dallas_2", 85.1),
    ]);
  });

  test("Bluetooth temperatures are hundredths and have a humidity beside them", () => {
    expect(temperatures([element(25, 2, -1234), element(86, 2, 455), element(28, 2, 2999)])).toEqual([
      temperature("ble_1", -12.34, 45.5),
      temperature("ble_4", 29.99),
    ]);
    for (const error of [2000, 3000, 4000, 32_765, 32_766, 32_767])
      expect(temperatures([element(26, 2, error)]), `${error}`).toEqual([]);
    for (const error of [3000, 32_733, 32_735]) expect(temperatures([element(104, 2, error)])).toEqual([]);
  });

  test("EYE sensors", () => {
    expect(temperatures([element(10_800, 2, -1187), element(10_804, 1, 73), element(10_807, 1, 40)])).toEqual([
      temperature("eye_1", -11.87, 73),
      temperature("eye_4", null, 40),
    ]);
  });

  test("fuel by CAN, OBD and probes", () => {
    const fuel = (sensor: string, level_percent: number | null, volume_l: number | null) => ({
      kind: "fuel" as const,
      sensor,
      level_percent,
      volume_l,
    });
    const sent = [element(89, 1, 64), element(84, 2, 412), element(48, 1, 33), element(390, 4, 505)];
    expect(temperatures(sent)).toEqual([fuel("can", 64, 41.2), fuel("obd", 33, null), fuel("obd_oem", null, 50.5)]);
    const probes = [element(201, 2, 318), element(203, 2, -3), element(214, 2, 0)];
    expect(temperatures(probes)).toEqual([fuel("lls_1", null, 318), fuel("lls_5", null, 0)]);
    const truck = [professionalMark, element(87, 4, 96), element(37, 1, 70), element(34, 2, 700)];
    expect(temperatures(truck)).toEqual([fuel("can", 70, 70), fuel("fms", 96, null)]);
  });

  test("the mileage of an older model is not taken for a level", () => {
    for (const metres of [0, 103, 81_000_000])
      expect(temperatures([professionalMark, element(87, 4, metres)]), `${metres}`).toEqual([]);
  });
});

describe("driver", () => {
  const driver = (elements: readonly SentElement[]) => Reflect.get(read(elements).frame, "driver_id") ?? null;

  test("an iButton has the number that is printed on it; none is there if it is zero", () => {
    expect(driver([{ id: 78, value: "01000b00791c1793" }])).toBe("93171C79000B0001");
    expect(driver([{ id: 78, value: "0000000000000000" }])).toBeNull();
    expect(driver([{ id: 78, value: "ffffffffffffffff" }])).toBeNull();
  });

  test("a card is read as sent, and an iButton comes first", () => {
    const card = { id: 207, value: "0000000000ab12cd" };
    expect(driver([card])).toBe("0000000000AB12CD");
    expect(driver([card, { id: 78, value: "01000b00791c1793" }])).toBe("93171C79000B0001");
    expect(driver([{ id: 78, value: "01000b00791c1793" }, card])).toBe("93171C79000B0001");
  });

  test("a tachograph card is text in two halves, in other elements by model", () => {
    const halves = (first: number, second: number) => [
      { id: first, value: Buffer.from("DF000012").toString("hex") },
      { id: second, value: Buffer.from("34567890").toString("hex") },
    ];
    expect(driver([professionalMark, ...halves(195, 196)])).toBe("DF00001234567890");
    expect(driver(halves(147, 148))).toBe("DF00001234567890");
    expect(driver([{ id: 147, value: Buffer.from("AB\0\0\0\0\0 ").toString("hex") }])).toBe("AB");
  });

  test("a card reader at the serial port has its own time", () => {
    const text = Buffer.from("GTSL|6|1|0|12749884|1|\r\n").toString("hex");
    const message = sentData(`0d0106${hexNumber(4 + text.length / 2, 4)}642b3ad1${text}01`);
    const { frames, reply } = teltonika.decode(message, teltonika.begin(), receivedAt);
    expect(frames as unknown[]).toMatchObject([{ recordedAt: 0x642b3ad1 * 1000, driver_id: "12749884", fix: null }]);
    expect(reply).toBeNull();
  });
});

describe("events", () => {
  type Case = readonly [id: number, value: number, event: TrackerEvent | null];

  test("wherever the element has the value", () => {
    const cases: readonly Case[] = [
      [253, 1, "harsh_acceleration"],
      [253, 2, "harsh_braking"],
      [253, 3, "harsh_cornering"],
      [253, 4, null],
      [247, 1, "crash"],
      [247, 6, "crash"],
      [247, 3, null],
      [236, 1, "general"],
      [236, 0, null],
    ];
    for (const [id, value, event] of cases)
      expect(read([element(id, 1, value)]).events, `${id} = ${value}`).toEqual([event]);
  });

  test("only in the record that the tracker made for it: some models repeat the state in every record", () => {
    const cases: readonly Case[] = [
      [246, 1, "towing"],
      [249, 1, "jamming"],
      [251, 1, "idling"],
      [252, 1, "power_cut"],
      [252, 0, "power_restored"],
      [255, 93, "overspeed"],
      [318, 2, "jamming"],
      [318, 1, null],
      [175, 0, "geofence_exit"],
      [175, 1, "geofence_enter"],
      [155, 1, "geofence_enter"],
      [231, 0, "geofence_exit"],
      [61, 3, "overspeed"],
      [61, 2, null],
      [389, 0x11, "sos"],
      [389, 0x21, null],
      [390, 1, "power_off"],
      [520, 1, "tampering"],
    ];
    for (const [id, value, event] of cases) {
      expect(read([element(id, 1, value)], id).events, `${id} = ${value}`).toEqual([event]);
      expect(read([element(id, 1, value)], 240).events, `${id} = ${value}`).toEqual([null]);
    }
  });

  test("several make a frame each", () => {
    expect(read([element(253, 1, 2), element(252, 1, 1)], 252).events).toEqual(["harsh_braking", "power_cut"]);
  });
});

describe("models", () => {
  test("a number that means something else in professional and older models is not read as in light ones", () => {
    for (const mark of [professionalMark, element(72, 2, 211), element(69, 2, 1)]) {
      expect(read([mark, element(252, 1, 1)], 252).events).toEqual([null]);
      const { sensors } = read([mark, element(25, 2, 905), element(48, 1, 2)]).frame;
      expect(sensors.filter(({ sensor }) => !sensor.startsWith("dallas"))).toEqual([]);
    }
  });

  test("FT models have their voltage elsewhere, and zones that are not read", () => {
    const voltage = element(800, 4, 13_250);
    expect(read([voltage]).frame.external_voltage_v).toBe(13.25);
    expect(read([voltage, element(205, 4, 77), element(252, 1, 1)], 252).events).toEqual(["power_cut"]);
    expect(read([voltage, element(242, 1, 1)], 242).events).toEqual(["fall_down"]);
    expect(read([element(242, 1, 1)], 242).events).toEqual([null]);
    for (const id of [155, 156, 157]) expect(read([voltage, element(id, 1, 1)], id).events).toEqual([null]);
  });

  test("no element of any length is taken for a number", () => {
    const long = { id: 70, value: "00".repeat(17) };
    expect(read([long, { id: 239, value: "01".repeat(3) }, element(252, 1, 1)], 252)).toMatchObject({
      events: ["power_cut"],
      frame: { ignition: null },
    });
  });

  test("idling and zones of professional models", () => {
    expect(read([professionalMark, element(243, 1, 1)], 243).events).toEqual(["idling"]);
    expect(read([professionalMark, element(599, 1, 0)], 599).events).toEqual(["geofence_exit"]);
  });

  test("each number without a field of ours is named once", () => {
    const { unread } = read([
      element(261, 1, 1),
      element(65_000, 4, 1),
      element(261, 2, 1),
      { id: 39_000, value: "aabbcc" },
    ]);
    expect(unread).toEqual(["io 261", "io 65000", "io 39000"]);
    expect(read([element(21, 1, 4), element(241, 4, 24_602), { id: 256, value: "31".repeat(17) }]).unread).toEqual([
      "io 21",
      "io 241",
      "io 256",
    ]);
  });

  test("a GH3000 has numbers of its own", () => {
    const battery = "0101" + "5e"; // one element of one byte: 1 = 94
    const dilution = "0114" + "000c"; // one of two bytes: 20 = 12
    const message = sentData(`0701${"4c61410b"}07${"114231c2c141d0beb905"}${battery}${dilution}01`);
    const { frames } = teltonika.decode(message, teltonika.begin(), receivedAt);
    expect(frames).toMatchObject([{ fix: true, battery_percent: 94, hdop: 1.2, satellites: 5 }]);
    const alarm = sentData(`0701${"4c61410b"}02${"01de01"}01`);
    const decoded = teltonika.decode(alarm, teltonika.begin(), receivedAt);
    expect(decoded.frames).toMatchObject([{ fix: false, event: "sos" }]);
    const unknown = teltonika.decode(sentData(`0701${"4c61410b"}02${"01c801"}01`), teltonika.begin(), receivedAt);
    expect(unknown.unread).toEqual(["io 200"]);
  });
});
