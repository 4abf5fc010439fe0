import { hexNumber } from "../kit/values.ts";

/** Messages of terminals. Any other number is unknown. */
export const nameByMessage: ReadonlyMap<number, string> = new Map<number, string>([
  [0x0001, "answer of the terminal"],
  [0x0002, "heartbeat"],
  [0x0003, "logout"],
  [0x0004, "time request"],
  [0x0100, "registration"],
  [0x0102, "authentication"],
  [0x0104, "parameters"],
  [0x0107, "properties of the terminal"],
  [0x0108, "result of an update"],
  [0x0109, "time request"],
  [0x0200, "location"],
  [0x0201, "location"],
  [0x0205, "version"],
  [0x0210, "batch of locations"],
  [0x0301, "event"],
  [0x0302, "answer to a question"],
  [0x0303, "subscription"],
  [0x0310, "parameters"],
  [0x0500, "location"],
  [0x0506, "heartbeat"],
  [0x0608, "areas and routes"],
  [0x0700, "recorder data"],
  [0x0701, "waybill"],
  [0x0702, "driver card"],
  [0x0704, "batch of locations"],
  [0x0705, "bus data"],
  [0x0800, "media event"],
  [0x0801, "media data"],
  [0x0802, "list of media"],
  [0x0805, "photo taken"],
  [0x0900, "pass-through"],
  [0x0901, "compressed data"],
  [0x0a00, "public key"],
  [0x1003, "video properties"],
  [0x1005, "passenger count"],
  [0x1007, "time zone"],
  [0x1205, "list of recordings"],
  [0x1206, "upload of a recording"],
  [0x1300, "answer as text"],
  [0x2070, "acceleration"],
  [0x5501, "location"],
  [0x5502, "stored location"],
  [0x6006, "text"],
  [0x8888, "photo"],
]);

/** For the owner: "location 0x0200", "message 0x0abc". */
export function whatOf(type: number): string {
  return `${nameByMessage.get(type) ?? "message"} ${hexNumber(type, 4)}`;
}
