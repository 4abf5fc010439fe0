import { hexNumber } from "./tlv.ts";

/** Messages of terminals. Any other number is unknown. */
export const nameByMessage: Readonly<Record<number, string>> = {
  1: "answer of the terminal",
  2: "heartbeat",
  3: "logout",
  4: "time request",
  256: "registration",
  258: "authentication",
  260: "parameters",
  263: "properties of the terminal",
  264: "result of an update",
  265: "time request",
  512: "location",
  513: "location",
  528: "batch of locations",
  769: "event",
  770: "answer to a question",
  771: "subscription",
  784: "parameters",
  1280: "location",
  1286: "heartbeat",
  1544: "areas and routes",
  1792: "recorder data",
  1793: "waybill",
  1794: "driver card",
  1796: "batch of locations",
  1797: "bus data",
  2048: "media event",
  2049: "media data",
  2050: "list of media",
  2053: "photo taken",
  2304: "pass-through",
  2305: "compressed data",
  2560: "public key",
  4099: "video properties",
  4101: "passenger count",
  4103: "time zone",
  4613: "list of recordings",
  4614: "upload of a recording",
  4864: "answer as text",
  8304: "acceleration",
  21761: "location",
  21762: "stored location",
  24582: "text",
  34952: "photo",
};

/** Messages that say nothing for a frame: they are answered, and nothing of them is missed. */
export const messagesWithoutContent: ReadonlySet<number> = new Set([
  0x0001, 0x0002, 0x0003, 0x0004, 0x0100, 0x0102, 0x0109, 0x0506, 0x1007,
]);

/** For the owner: "location 0x0200", "message 0x0abc". */
export function whatOf(type: number): string {
  return `${nameByMessage[type] ?? "message"} ${hexNumber(type, 4)}`;
}
