import type { TrackerFamily } from "../kit/family.ts";
import { decode, type MeitrackSession } from "./decoder.ts";
import { cut, maxMessageBytes } from "./framer.ts";
import { meitrackModel } from "./models.ts";

export const meitrack: TrackerFamily<MeitrackSession> = {
  name: "meitrack",
  port: 5020,
  transports: ["tcp", "udp"],
  maxMessageBytes,
  cut,
  begin: (over) => ({ isUdp: over === "udp", model: null }),
  ofModel: (session, model) => ({ ...session, model: meitrackModel(model) }),
  decode,
};
