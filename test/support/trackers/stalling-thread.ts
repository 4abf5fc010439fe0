import { existsSync, writeFileSync } from "node:fs";
import { textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import type { TrackerFamily } from "../../../src/intake/trackers/kit/family.ts";
import { serveInThread } from "../../../src/intake/trackers/thread/in-thread.ts";
import { toyFamily } from "./toy-family.ts";

// The thread of trackers, with a family whose decoder stands still on `a stall PATH`: it makes the file PATH.stalled, and goes on when
// there is a file PATH. On `a failure` the thread fails.

declare const self: Worker;

const stalling: TrackerFamily = {
  ...toyFamily,
  name: "gt06",
  transports: ["tcp"],
  maxMessageBytes: 400,
  decode(message, session, receivedAt) {
    const [, word, path = ""] = textOf(message).trim().split(" ");
    if (word === "stall") {
      writeFileSync(`${path}.stalled`, "");
      while (!existsSync(path)) Bun.sleepSync(1);
    }
    if (word === "failure") {
      setImmediate(() => {
        throw new Error("planted");
      });
    }
    return toyFamily.decode(message, session as { count: number }, receivedAt);
  },
} as TrackerFamily;

serveInThread(self, { gt06: stalling });
