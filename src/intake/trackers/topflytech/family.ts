import type { TrackerFamily } from "../kit/family.ts";
import { decode } from "./decoder.ts";
import { cut, maxMessageBytes } from "./framer.ts";

/** Nothing is remembered between messages: each says who sent it. Other gateways call it t800x. */
export const topflytech: TrackerFamily<null> = {
  name: "topflytech",
  port: 5094,
  transports: ["tcp", "udp"],
  maxMessageBytes,
  cut,
  begin: () => null,
  decode,
};
