import { bytesOf } from "../kit/bytes.ts";
import type { TrackerFamily } from "../kit/family.ts";
import { decode, type WialonSession } from "./decoder.ts";
import { cut, maxMessageBytes } from "./framer.ts";
import { extraBytesOverTcp } from "./inflated.ts";

/** Wialon IPS by Gurtam, versions 1.1 to 2.1: trackers, gateways and phones speak it. */
export const wialon: TrackerFamily<WialonSession> = {
  name: "wialon",
  port: 5039,
  transports: ["tcp", "udp"],
  maxMessageBytes,
  lineEnd: bytesOf("\r\n"),
  cut,
  begin: (over) => ({
    ...{ isUdp: over === "udp", hasChecksums: false, distrusted: null },
    // A datagram is a connection of its own.
    extraBytes: over === "udp" ? 0 : extraBytesOverTcp,
  }),
  decode,
};
