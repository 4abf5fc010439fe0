import type { Device, LatestPosition } from "../../both-sides/contract/data.ts";
import type { ExpectedTrackerRecord, TrackerMessageRecord } from "../../both-sides/contract/trackers.ts";

/** What is known of a tracker that a person waits for. */
export interface ConnectionFacts {
  /** Of its IMEI, and of what it calls itself. */
  readonly expected: readonly ExpectedTrackerRecord[];
  /** The vehicle that has it. */
  readonly vehicle: Pick<Device, "last_seen_at"> | null;
  readonly position: Pick<LatestPosition, "received_at"> | null;
  /** The newest first. */
  readonly messages: readonly Pick<TrackerMessageRecord, "received_at" | "frames" | "outcome">[];
}

export type Connection =
  /** Nobody has called. */
  | { readonly state: "silent" }
  /** It called, and no vehicle has it. */
  | { readonly state: "stranger" }
  /** It was refused and has a vehicle by now: it must call again. */
  | { readonly state: "returning" }
  /** It called, and the vehicle accepts only trackers of another protocol. */
  | { readonly state: "other_protocol" }
  | { readonly state: "no_fix"; readonly satellites: number | null }
  /** It says where it is, and the server does not believe it. */
  | { readonly state: "doubted" }
  | { readonly state: "here" };

/** A position is on the map this soon. */
const soonMs = 10_000;

/** How far it has come. What the vehicle did before anybody waited for this tracker does not count. Pure. */
export function connectionOf(facts: ConnectionFacts, now: number): Connection {
  const { expected, vehicle, position, messages } = facts;
  const hasCalled = expected.some(({ called_at }) => called_at !== null);
  if (vehicle === null) return { state: hasCalled ? "stranger" : "silent" };
  const since = Math.min(...expected.map(({ entered_at }) => Date.parse(entered_at)));
  const isNew = (at: string | null | undefined) => typeof at === "string" && Date.parse(at) >= since;
  const located = messages.find(({ frames }) => frames.some(({ fix }) => fix === true));
  if (position !== null && (isNew(position.received_at) || located !== undefined)) return { state: "here" };
  if (messages.length === 0 && !isNew(vehicle.last_seen_at)) return { state: hasCalled ? "returning" : "silent" };
  if (messages[0]?.outcome === "other_protocol") return { state: "other_protocol" };
  // The oldest: others may come every few seconds.
  const first = messages.findLast(({ frames }) => frames.some(({ fix }) => fix === true));
  if (first !== undefined && now - Date.parse(first.received_at) > soonMs) return { state: "doubted" };
  const frames = messages.flatMap(({ frames }) => frames.toReversed());
  const counted = frames.find(({ satellites }) => typeof satellites === "number")?.satellites;
  return { state: "no_fix", satellites: typeof counted === "number" ? counted : null };
}
