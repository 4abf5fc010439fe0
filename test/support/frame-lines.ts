import { formatInstant } from "../../src/domain/time/time.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { FleetRecord } from "./fleet.ts";

/** A frame as a line of a fleet file. */
export function frameLine({ recordedAt, receivedAt, ...rest }: IncomingFrame): FleetRecord {
  const recorded_at = recordedAt === null ? null : formatInstant(recordedAt);
  return { type: "frame", ...rest, recorded_at, received_at: formatInstant(receivedAt) };
}
