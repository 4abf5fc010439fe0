import type { TrackerFamily } from "../kit/family.ts";
import { decodeBinary } from "./binary.ts";
import { cut, maxMessageBytes } from "./framer.ts";
import { decodeH02Text } from "./text.ts";

/** Nothing is remembered between messages: each says who sent it. */
export const h02: TrackerFamily<null> = {
  name: "h02",
  port: 5013,
  transports: ["tcp", "udp"],
  maxMessageBytes,
  cut,
  begin: () => null,
  decode: (message, _session, receivedAt) =>
    message[0] === 0x2a ? decodeH02Text(message, receivedAt) : decodeBinary(message),
};
