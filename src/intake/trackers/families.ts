import type { TrackerProtocol } from "../../domain/tracker-protocols.ts";
import type { TrackerFamily } from "./kit/family.ts";

/** Every family that trackers may speak. A new one is a folder here and a line in this table. */
export const families: Readonly<Partial<Record<TrackerProtocol, TrackerFamily>>> = {};
