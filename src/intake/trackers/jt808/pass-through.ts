import { ByteReader, textOf } from "../kit/bytes.ts";
import { problemOf } from "../kit/decoded.ts";
import { eventsByCode, type TrackerEvent } from "../kit/events.ts";
import { hexNumber } from "../kit/values.ts";
import { readTime } from "./bcd.ts";
import { readEngineText } from "./items/sensors.ts";
import { readMotion, readStatusAndPlace } from "./location.ts";
import { type DecodedReport, hasBit, Jt808Report, joinedReports, nothingDecoded } from "./report.ts";
import { type Item, itemList, numberIn } from "./tlv.ts";

/** What 0x0900 carries: bytes of the vendor behind a kind. Some have no time, since they come at once: theirs is that of receipt. */
export function decodePassThrough(bytes: Uint8Array, receivedAt: number): DecodedReport {
  const [kind] = bytes;
  if (kind === undefined) return { ...nothingDecoded, problem: problemOf("malformed", "an empty pass-through") };
  const reader = new ByteReader(bytes, 1);
  if (kind === 0x40) return cardText(bytes.subarray(1), receivedAt);
  if (kind === 0x41) return engineText(bytes.subarray(1), receivedAt);
  if (kind === 0xf0) return engineReport(reader);
  if (kind === 0xff) return driveRecord(reader);
  if (kind === 0xf3) return collisionReport(bytes.subarray(1));
  if (kind === 0x53) return placedReport(reader, "tags");
  if (kind === 0x54) return sampledReport(reader);
  return { ...nothingDecoded, unread: [`pass-through ${hexNumber(kind)}`] };
}

/** A length, then `GTSL|6|1|0|10218094|1|`: a card was read, its number is the fifth. */
function cardText(bytes: Uint8Array, receivedAt: number): DecodedReport {
  const driver = /GTSL(?:\|[^|]*){3}\|([\x21-\x7b]{1,64})\|/.exec(textOf(bytes))?.[1];
  if (driver === undefined) return { ...nothingDecoded, unread: ["pass-through 0x40"] };
  const report = new Jt808Report();
  report.driver(driver);
  return report.decodedNow(receivedAt);
}

function engineText(bytes: Uint8Array, receivedAt: number): DecodedReport {
  const report = new Jt808Report();
  return readEngineText(bytes, report)
    ? report.decodedNow(receivedAt)
    : { ...nothingDecoded, unread: ["pass-through 0x41"] };
}

function placedReport(reader: ByteReader, rest: string): DecodedReport {
  const report = new Jt808Report();
  readStatusAndPlace(reader, report);
  readMotion(reader, report);
  const at = readTime(reader);
  if (reader.left > 0) report.unread.push(rest);
  return report.decodedAt(at);
}

/** Behind the place, samples of the tracker's own sensors, each with its time. */
function sampledReport(reader: ByteReader): DecodedReport {
  const start = reader.at;
  reader.skip(24);
  const samples = [];
  while (reader.left > 2) samples.push(readSample(reader));
  const placed = placedReport(new ByteReader(reader.bytes, start, start + 24), "");
  if (reader.isShort) return { ...placed, unread: ["a cut sample"] };
  return { ...joinedReports([placed, ...samples]), unread: placed.unread };
}

/** A mask says what follows the time: light, air, an outer temperature, acceleration, pressure. */
function readSample(reader: ByteReader): DecodedReport {
  const report = new Jt808Report();
  const mask = reader.u16();
  const at = readTime(reader);
  if (hasBit(mask, 0)) reader.pass(2, "light", report.unread);
  if (hasBit(mask, 1)) report.temperature(1, reader.i16() / 10, reader.i16() / 10);
  if (hasBit(mask, 2)) report.temperature(3, reader.i16() / 10);
  if (hasBit(mask, 3)) reader.pass(6, "acceleration", report.unread);
  if (hasBit(mask, 4)) reader.pass(2, "air pressure", report.unread);
  return report.decodedAt(at);
}

/** Time and place with signs, then the acceleration. */
function driveRecord(reader: ByteReader): DecodedReport {
  const report = new Jt808Report();
  const at = readTime(reader);
  report.fields.fix = true;
  report.fields.latitude = reader.i32() / 1e6;
  report.fields.longitude = reader.i32() / 1e6;
  readMotion(reader, report);
  if (reader.left > 0) report.unread.push("acceleration");
  return report.decodedAt(at);
}

function collisionReport(bytes: Uint8Array): DecodedReport {
  const report = new Jt808Report();
  const { items } = itemList(bytes, { id: 2, length: 2 });
  const time = items.find(({ id }) => id === 0x0006);
  for (const { id } of items) if (id !== 0x0006) report.unread.push(`pass-through 0xf3/${hexNumber(id, 4)}`);
  return report.decodedAt(time === undefined ? null : readTime(new ByteReader(time.value)));
}

const eventByAlarm = eventsByCode([
  ["power_restored", 0x01],
  ["power_cut", 0x02],
  ["idling", 0x0e],
  ["harsh_acceleration", 0x1a],
  ["harsh_braking", 0x1b],
  ["harsh_cornering", 0x1c],
  ["lane_change", 0x1d, 0x1e, 0x1f],
  ["fatigue_driving", 0x23],
  ["overspeed", 0x25],
  ["crash", 0x26, 0x27, 0x28],
  ["door", 0x31, 0x32],
]);

const eventByBehaviour: Readonly<Record<number, TrackerEvent>> = {
  51: "harsh_acceleration",
  52: "harsh_braking",
  53: "harsh_cornering",
  54: "lane_change",
  56: "crash",
};

/** Reports of trackers at the diagnostic socket: time, whether stored, kind of vehicle, kind of report. */
function engineReport(reader: ByteReader): DecodedReport {
  const report = new Jt808Report();
  const at = readTime(reader);
  reader.pass(2, "whether stored, kind of vehicle", report.unread);
  const kind = reader.u8();
  if (reader.isShort) return { ...nothingDecoded, problem: problemOf("malformed", "a cut engine report") };
  if (kind === 0x01) for (const item of counted(reader, 2)) readEngineValue(item, report);
  else if (kind === 0x02) skipTroubleCodes(reader, report);
  else if (kind === 0x03) for (const { id } of counted(reader, 1)) report.event(eventByAlarm.get(id));
  else if (kind === 0x15) report.event(eventByBehaviour[reader.u32()]);
  else report.unread.push(`engine report ${hexNumber(kind)}`);
  if (kind <= 0x03 && reader.left >= 12) readStatusAndPlace(reader, report);
  return report.decodedAt(at);
}

function readEngineValue({ id, value }: Item, report: Jt808Report): void {
  const number = numberIn(value.subarray(0, 4));
  if (id === 0x0102 || id === 0x0528 || id === 0x0546) report.odometer(number / 10);
  else if (id === 0x0103 || id === 0x052a) report.fuel({ volume_l: number / 100 });
  else if (id === 0x052b) report.fuel({ level_percent: number });
  else if (id === 0x0530) report.supply(number / 1000);
  else report.unread.push(`engine value ${hexNumber(id, 4)}`);
}

/** A count, then items. */
function* counted(reader: ByteReader, idBytes: 1 | 2): Generator<Item> {
  for (let left = reader.u8(); left > 0 && !reader.isShort; left--) {
    const id = idBytes === 1 ? reader.u8() : reader.u16();
    yield { id, value: reader.take(reader.u8()) };
  }
}

/** Two levels of lists; the place is behind them. */
function skipTroubleCodes(reader: ByteReader, report: Jt808Report): void {
  report.unread.push("trouble codes");
  for (let systems = reader.u16(); systems > 0 && !reader.isShort; systems--) {
    reader.skip(4);
    for (let codes = reader.u16(); codes > 0 && !reader.isShort; codes--) {
      reader.skip(8);
      reader.skip(reader.u16());
    }
  }
}
