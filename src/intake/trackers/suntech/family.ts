import { bytesOf } from "../kit/bytes.ts";
import type { TrackerFamily } from "../kit/family.ts";
import { decode, type SuntechSession } from "./decoder.ts";
import { cut, maxMessageBytes } from "./framer.ts";

/** Suntech's text of all series, and its two binary forms. */
export const suntech: TrackerFamily<SuntechSession> = {
  name: "suntech",
  port: 5011,
  transports: ["tcp", "udp"],
  maxMessageBytes,
  lineEnd: bytesOf("\r"),
  cut,
  begin: (over) => ({ isUdp: over === "udp" }),
  decode,
};
