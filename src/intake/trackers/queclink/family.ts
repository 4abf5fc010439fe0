import type { TrackerFamily } from "../kit/family.ts";
import { decode, type QueclinkSession } from "./decoder.ts";
import { cut, maxMessageBytes } from "./framer.ts";

/** Queclink's `@Track` protocol as text. Other gateways call it gl200. */
export const queclink: TrackerFamily<QueclinkSession> = {
  name: "queclink",
  port: 5004,
  transports: ["tcp", "udp"],
  maxMessageBytes,
  cut,
  begin: () => ({ zoneMinutes: null }),
  decode,
};
