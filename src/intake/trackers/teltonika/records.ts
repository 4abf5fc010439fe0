import { ByteReader } from "../kit/bytes.ts";
import type { ReadFields } from "../kit/frame.ts";
import { toSeventh } from "../kit/values.ts";

/** `value` is the unsigned number of an element of 1, 2 or 4 bytes; others have only their bytes. */
export interface IoElement {
  readonly id: number;
  readonly width: number;
  readonly value: number;
  readonly bytes: Uint8Array;
}

export interface AvlRecord {
  /** In ms since 1970, as sent. */
  readonly time: number;
  readonly position: ReadFields;
  /** The element that made the tracker write this record; 0: none, it was time. */
  readonly trigger: number;
  readonly elements: readonly IoElement[];
  /** What beside the elements has no meaning for us. */
  readonly unread: readonly string[];
}

/** How the codecs differ: in the bytes of an element's number, and of the numbers of elements. */
interface Layout {
  readonly name: string;
  readonly idBytes: 1 | 2;
  readonly countBytes: 1 | 2;
  /** Why the record was written; it says no more than the trigger. */
  readonly hasGenerationType: boolean;
  /** Whether elements of any length follow those of 1, 2, 4 and 8 bytes. */
  readonly hasAnyLength: boolean;
}

const codec8: Layout = {
  name: "codec 8",
  idBytes: 1,
  countBytes: 1,
  hasGenerationType: false,
  hasAnyLength: false,
};

export const layouts: ReadonlyMap<number, Layout> = new Map([
  [0x08, codec8],
  [0x8e, { ...codec8, name: "codec 8 extended", idBytes: 2, countBytes: 2, hasAnyLength: true }],
  [0x10, { ...codec8, name: "codec 16", idBytes: 2, hasGenerationType: true }],
]);

/** Some firmware adds a group of elements of 16 bytes. Only the length of the whole packet shows it. */
const groupWidths = [
  [1, 2, 4, 8],
  [1, 2, 4, 8, 16],
];

/** All records, or null if they do not fill the bytes from `from` to `end`, so that something is other than we think. */
export function readRecords(data: Uint8Array, layout: Layout, count: number, from: number, end: number): RecordsRead {
  const tries = groupWidths.map((widths) =>
    readUntilShort(new ByteReader(data, from, end), count, (reader) => readRecord(reader, layout, widths)),
  );
  return tries.find(({ isWhole }) => isWhole) ?? (tries[0] as RecordsRead);
}

/** The records that are there; `isWhole`: as many as the packet says, and nothing beside them. */
export interface RecordsRead {
  readonly records: readonly AvlRecord[];
  readonly isWhole: boolean;
}

export function readUntilShort(
  reader: ByteReader,
  count: number,
  read: (reader: ByteReader) => AvlRecord,
): RecordsRead {
  const records: AvlRecord[] = [];
  while (records.length < count && !reader.isShort) {
    const record = read(reader);
    // What runs past the end is no record.
    if (!reader.isShort) records.push(record);
  }
  return { records, isWhole: !reader.isShort && reader.left === 0 };
}

function readRecord(reader: ByteReader, layout: Layout, widths: readonly number[]): AvlRecord {
  const time = reader.u64();
  const unread: string[] = [];
  reader.pass(1, "priority", unread);
  const longitude = reader.i32() / 1e7;
  const latitude = reader.i32() / 1e7;
  const position = {
    latitude,
    longitude,
    altitude_m: reader.i16(),
    heading_deg: reader.u16(),
    satellites: reader.u8(),
    speed_kmh: reader.u16(),
  };
  const trigger = reader[layout.idBytes === 2 ? "u16" : "u8"]();
  if (layout.hasGenerationType) reader.pass(1, "generation type", unread);
  reader.skip(layout.countBytes); // of all elements: each group has its own count
  return { time, position: located(position, unread), trigger, elements: readElements(reader, layout, widths), unread };
}

/** Without satellites the tracker repeats where it last was: that is no position of this time. */
export function located(position: ReadFields & { readonly satellites?: number | null }, unread: string[]): ReadFields {
  const { latitude = null, longitude = null, satellites = null } = position;
  const isNowhere = latitude === null || longitude === null || (latitude === 0 && longitude === 0);
  if (isNowhere || satellites === 0) {
    if (!isNowhere) unread.push("old place");
    return { fix: false, satellites };
  }
  return { ...position, latitude: toSeventh(latitude), longitude: toSeventh(longitude), fix: true };
}

function readElements(reader: ByteReader, layout: Layout, widths: readonly number[]): readonly IoElement[] {
  const readId = () => reader[layout.idBytes === 2 ? "u16" : "u8"]();
  const elements: IoElement[] = [];
  for (const width of widths) {
    const count = reader[layout.countBytes === 2 ? "u16" : "u8"]();
    for (let index = 0; index < count && !reader.isShort; index++) elements.push(readElement(reader, readId(), width));
  }
  if (!layout.hasAnyLength) return elements;
  const count = reader.u16();
  for (let index = 0; index < count && !reader.isShort; index++) {
    const id = reader.u16();
    elements.push(readElement(reader, id, reader.u16()));
  }
  return elements;
}

/** A view costs more than a number, and most elements are numbers. */
const noBytes = new Uint8Array(0);

export function readElement(reader: ByteReader, id: number, width: number): IoElement {
  switch (width) {
    case 1:
      return { id, width, value: reader.u8(), bytes: noBytes };
    case 2:
      return { id, width, value: reader.u16(), bytes: noBytes };
    case 4:
      return { id, width, value: reader.u32(), bytes: noBytes };
    default:
      return { id, width, value: 0, bytes: reader.take(width) };
  }
}
