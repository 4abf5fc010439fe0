import { bytesOf, textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import type { DecodedMessage, TrackerFamily } from "../../../src/intake/trackers/kit/family.ts";
import { trackerFrames } from "../../../src/intake/trackers/kit/frame.ts";

interface ToySession {
  readonly count: number;
}

/**
 * A protocol with as little in it as possible, to test what all families share: lines `login IMEI`, `at SECONDS LATITUDE`, which
 * are answered by `ok N`, the number of the message on this connection.
 */
export const toyFamily: TrackerFamily<ToySession> = {
  name: "toy",
  port: 5999,
  transports: ["tcp", "udp"],
  maxMessageBytes: 64,
  lineEnd: bytesOf("\n"),
  cut(bytes) {
    const end = bytes.indexOf(10);
    if (bytes[0] !== 108 && bytes[0] !== 97) return { kind: "noise", length: end === -1 ? bytes.length : end + 1 };
    return end === -1 ? { kind: "incomplete" } : { kind: "message", length: end + 1 };
  },
  begin: () => ({ count: 0 }),
  decode(message, { count }) {
    const [word, first = "", second = ""] = textOf(message).trim().split(" ");
    const session = { count: count + 1 };
    const answered: DecodedMessage<ToySession> = {
      what: word ?? "",
      frames: [],
      reply: bytesOf(`ok ${count + 1}\n`),
      session,
      problem: null,
      leftOut: [],
      unread: [],
    };
    if (word === "login") {
      const identity = { kind: "imei", value: first } as const;
      return { ...answered, identity };
    }
    if (word !== "at") return { ...answered, reply: null, problem: { kind: "unknown_message", detail: `${word}` } };
    const leftOut: string[] = [];
    const place = { latitude: Number(second), longitude: 13, fix: true };
    return { ...answered, frames: trackerFrames(Number(first) * 1_000, place, [], leftOut), leftOut };
  },
};
