import type { TrackerFamily } from "../kit/family.ts";
import { decode, type TeltonikaSession } from "./decoder.ts";
import { cut, maxMessageBytes } from "./framer.ts";

export const teltonika: TrackerFamily<TeltonikaSession> = {
  name: "teltonika",
  port: 5027,
  transports: ["tcp", "udp"],
  maxMessageBytes,
  cut,
  begin: () => ({ distrusted: null }),
  decode,
};
