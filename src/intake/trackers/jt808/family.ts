import type { TrackerFamily } from "../kit/family.ts";
import { decode, type Jt808Session } from "./decoder.ts";
import { cut, maxMessageBytes } from "./framer.ts";

export const jt808: TrackerFamily<Jt808Session> = {
  name: "jt808",
  port: 5015,
  transports: ["tcp"],
  maxMessageBytes,
  cut,
  begin: () => ({ serial: 0, partial: null }),
  decode,
};
