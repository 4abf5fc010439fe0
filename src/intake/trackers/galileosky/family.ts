import type { TrackerFamily } from "../kit/family.ts";
import { decode, type GalileoskySession } from "./decoder.ts";
import { cut, maxMessageBytes } from "./framer.ts";

/** Other gateways call it galileo. */
export const galileosky: TrackerFamily<GalileoskySession> = {
  name: "galileosky",
  port: 5034,
  transports: ["tcp"],
  maxMessageBytes,
  cut,
  begin: () => ({ distrusted: null }),
  decode,
};
