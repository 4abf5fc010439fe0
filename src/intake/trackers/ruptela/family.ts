import type { TrackerFamily } from "../kit/family.ts";
import { decode, type RuptelaSession } from "./decoder.ts";
import { cut, maxMessageBytes } from "./framer.ts";

export const ruptela: TrackerFamily<RuptelaSession> = {
  name: "ruptela",
  port: 5046,
  transports: ["tcp", "udp"],
  maxMessageBytes,
  cut,
  begin: () => ({ distrusted: null }),
  decode,
};
