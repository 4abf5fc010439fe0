import { ByteReader } from "../kit/bytes.ts";
import type { ReadFields } from "../kit/frame.ts";
import { type ElementTable, elementTable, eventIfOne } from "./elements/reading.ts";
import { type AvlRecord, type IoElement, located, type RecordsRead, readElement, readUntilShort } from "./records.ts";

/** Codec 7 of the old personal trackers GH1000, GH1200 and GH3000. Masks say which parts of a record were sent. */

const since2007 = Date.UTC(2007, 0, 1);

/** The numbers of elements have meanings of their own here. */
export const gh3000Elements: ElementTable = elementTable([
  [1, 1, { as: "number", field: "battery_percent", per: 1 }],
  [20, 2, { as: "number", field: "hdop", per: 10 }],
  [222, 1, eventIfOne("sos")],
]);

export function readGh3000Records(data: Uint8Array, count: number, from: number, end: number): RecordsRead {
  return readUntilShort(new ByteReader(data, from, end), count, readRecord);
}

function readRecord(reader: ByteReader): AvlRecord {
  // The two highest bits are the priority.
  const time = since2007 + (reader.u32() & 0x3fff_ffff) * 1000;
  const parts = reader.u8();
  const unread: string[] = [];
  const position = parts & 1 ? readPosition(reader, unread) : { fix: false };
  const elements: IoElement[] = [];
  for (const [bit, width] of elementParts) {
    if (!(parts & bit)) continue;
    const count = reader.u8();
    for (let index = 0; index < count && !reader.isShort; index++)
      elements.push(readElement(reader, reader.u8(), width));
  }
  return { time, position, trigger: 0, elements, unread };
}

const elementParts = [
  [0x02, 1],
  [0x04, 2],
  [0x08, 4],
] as const;

function readPosition(reader: ByteReader, unread: string[]): ReadFields {
  const parts = reader.u8();
  const position = {
    latitude: parts & 0x01 ? readFloat(reader) : null,
    longitude: parts & 0x01 ? readFloat(reader) : null,
    altitude_m: parts & 0x02 ? reader.u16() : null,
    heading_deg: parts & 0x04 ? (reader.u8() * 360) / 256 : null,
    speed_kmh: parts & 0x08 ? reader.u8() : null,
    satellites: parts & 0x10 ? reader.u8() : null,
  };
  const networkBytes = (parts & 0x20 ? 4 : 0) + (parts & 0x40 ? 1 : 0) + (parts & 0x80 ? 4 : 0);
  reader.pass(networkBytes, "cell tower, signal, operator", unread);
  return located(position, unread);
}

/** Null for what is no number: a place must be one. */
function readFloat(reader: ByteReader): number | null {
  const bytes = reader.take(4);
  if (bytes.length < 4) return null;
  const value = new DataView(bytes.buffer, bytes.byteOffset, 4).getFloat32(0);
  return Number.isFinite(value) ? value : null;
}
