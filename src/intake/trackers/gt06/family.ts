import type { TrackerFamily } from "../kit/family.ts";
import { decode, type Gt06Session } from "./decoder.ts";
import { maxMessageBytes } from "./envelope.ts";
import { cut } from "./framer.ts";
import { gt06Model } from "./tracker-model.ts";

export const gt06: TrackerFamily<Gt06Session> = {
  name: "gt06",
  port: 5023,
  transports: ["tcp"],
  maxMessageBytes,
  cut,
  begin: () => ({ zoneMinutes: 0, isTopin: false, model: null }),
  ofModel: (session, model) => ({ ...session, model: gt06Model(model) }),
  decode,
};
