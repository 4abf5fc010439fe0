import type { TrackerFamily } from "../kit/family.ts";
import type { Gps103Session } from "./clock.ts";
import { decode } from "./decoder.ts";
import { cut, maxMessageBytes } from "./framer.ts";

const unknownZone: Gps103Session = { zoneMinutes: null };

export const gps103: TrackerFamily<Gps103Session> = {
  name: "gps103",
  port: 5001,
  transports: ["tcp", "udp"],
  maxMessageBytes,
  cut,
  begin: () => unknownZone,
  decode,
};
