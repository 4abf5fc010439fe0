import type { TrackerFamily } from "../kit/family.ts";
import { decode } from "./decoder.ts";
import { cut, maxMessageBytes } from "./framer.ts";

/** Nothing is remembered between messages: each says who sent it. */
export const meitrack: TrackerFamily<null> = {
  name: "meitrack",
  port: 5020,
  transports: ["tcp", "udp"],
  maxMessageBytes,
  cut,
  begin: () => null,
  decode: (message, _session, receivedAt) => decode(message, receivedAt),
};
