import { ByteReader, u16At } from "../kit/bytes.ts";
import { decoded, problemOf } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { hexNumber } from "../kit/values.ts";
import { accessoryContents } from "./accessories.ts";
import type { Contents } from "./contents.ts";
import { crashContents, drivingBySpeedContents, jerkContents } from "./driving.ts";
import { readElements } from "./elements.ts";
import { elementAlarm, elementPosition, lengthAt, obd, plain, portable, vehicle } from "./framer.ts";
import { topflytechAcknowledgement } from "./replies.ts";
import { readPortable, readVehicle, reportOfReading } from "./report.ts";
import { readWifi, readWifiReport } from "./wifi.ts";

type Decoded = DecodedMessage<null>;

/** Positions and alarms in four layouts; those `WithMotion` have acceleration behind them. */
const [position, alarm, positionWithMotion, alarmWithMotion] = [0x02, 0x04, 0x16, 0x18];
const [widePosition, wideAlarm, widePositionWithMotion, wideAlarmWithMotion] = [0x13, 0x14, 0x33, 0x34];
const [wifiReport, wifiAlarm] = [0x24, 0x25];
const [drivingSpeed, drivingAcceleration, crash] = [0x05, 0x06, 0x07];
const [accessories, accessoriesWithPlace, wifi] = [0x10, 0x12, 0x15];

const alarms: ReadonlySet<number> = new Set([alarm, alarmWithMotion, wideAlarm, wideAlarmWithMotion, elementAlarm]);
const wides: ReadonlySet<number> = new Set([widePosition, wideAlarm, widePositionWithMotion, wideAlarmWithMotion]);

export function decode(message: Uint8Array): Decoded {
  // A signature may follow what the length counts.
  const reader = new ByteReader(message, 2, u16At(message, lengthAt));
  const [kind, type] = [message[0] ?? 0, reader.u8()];
  reader.u16();
  const serial = reader.u16();
  const id = reader.take(8);
  if (reader.isShort) return decoded("message", null, { problem: problemOf("malformed", "shorter than any message") });
  const { what, alarm: code = 0, ...contents } = decodeType(reader, kind, type);
  const identity = { kind: "imei", value: id.toHex().slice(1) } as const;
  const isAlarm = alarms.has(type) || ((type === wifiReport || type === wifiAlarm) && code !== 0);
  const reply =
    contents.problem?.kind === "unknown_message"
      ? null
      : topflytechAcknowledgement(kind, type, serial, id, isAlarm ? code : null);
  const cutShort = reader.isShort ? { problem: problemOf("malformed", "the message ends too early"), frames: [] } : {};
  return decoded(`${what} ${hexNumber(kind)}/${hexNumber(type)}`, null, {
    ...contents,
    ...cutShort,
    identity,
    reply,
  });
}

function decodeType(reader: ByteReader, kind: number, type: number): Contents {
  const what = alarms.has(type) ? "alarm" : "position";
  switch (type) {
    case position:
    case alarm: {
      const reading = kind === portable ? readPortable(reader) : readVehicle(reader, kind, false);
      return { what, alarm: reading.alarm, ...reportOfReading(reading) };
    }
    case elementPosition:
    case elementAlarm:
      return { what, ...readElements(reader, kind) };
    case accessories:
    case accessoriesWithPlace:
      return accessoryContents(reader, kind, type === accessoriesWithPlace);
    case wifi:
      return { what: "Wi-Fi", ...readWifi(reader) };
    default:
      return kind === portable ? decodeOfPortable(reader, type) : decodeOfVehicle(reader, kind, type, what);
  }
}

function decodeOfPortable(reader: ByteReader, type: number): Contents {
  if (type !== wifiReport && type !== wifiAlarm) return named(reader, portable, type);
  const reading = readWifiReport(reader);
  return { what: "report", alarm: reading.alarm, ...reportOfReading(reading) };
}

function decodeOfVehicle(reader: ByteReader, kind: number, type: number, what: string): Contents {
  switch (type) {
    case positionWithMotion:
    case alarmWithMotion:
    case widePosition:
    case wideAlarm:
    case widePositionWithMotion:
    case wideAlarmWithMotion: {
      const reading = readVehicle(reader, kind, wides.has(type));
      return { what, alarm: reading.alarm, ...reportOfReading(reading) };
    }
    case drivingSpeed:
      return drivingBySpeedContents(reader);
    case drivingAcceleration:
      return jerkContents(reader);
    case crash:
      return crashContents(reader);
    default:
      return named(reader, kind, type);
  }
}

/** Known, and without anything for a frame: what it is, and the name of its bytes. */
const namesForAll: ReadonlyMap<number, readonly [what: string, unread: string]> = new Map([
  [0x01, ["login", "version"]],
  [0x31, ["login", "version"]],
  [0x03, ["heartbeat", "bytes of the heartbeat"]],
  [0x11, ["network", "network and SIM card"]],
  [0x81, ["answer to a command", "text of the answer"]],
]);
const namesByKind: Readonly<Record<number, typeof namesForAll>> = {
  [plain]: new Map(),
  [vehicle]: new Map([
    [0x09, ["serial port", "data of the serial port"]],
    [0x21, ["serial port", "data of the serial port"]],
    [0x22, ["diagnosis", "data of the diagnostic socket"]],
    [0x23, ["1-wire", "devices at the 1-wire port"]],
    [0x40, ["service", "service data"]],
    [0x44, ["CAN", "CAN data"]],
  ]),
  [obd]: new Map([[0x09, ["diagnosis", "data of the diagnostic socket"]]]),
  [portable]: new Map([
    [0x05, ["network", "network and SIM card"]],
    [0x17, ["lock", "state of the lock"]],
    [0x20, ["fences", "fences in the tracker"]],
    [0x26, ["temperatures", "stored temperatures"]],
    [0x27, ["lock", "state of the lock"]],
  ]),
};

function named(reader: ByteReader, kind: number, type: number): Contents {
  const name = namesForAll.get(type) ?? namesByKind[kind]?.get(type);
  if (name === undefined)
    return { what: "message", problem: problemOf("unknown_message", `message ${hexNumber(kind)}/${hexNumber(type)}`) };
  const unread: string[] = [];
  reader.pass(reader.left, name[1], unread);
  return { what: name[0], unread };
}
