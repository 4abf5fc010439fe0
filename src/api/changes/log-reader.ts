import { type ChangeType, trackedTypes } from "../../domain/changes/types.ts";
import type { ChangePlace } from "../../store/changes/change-entries.ts";
import { type LoggedChange, loggedChanges } from "../../store/changes/changes.ts";
import { inSightSince } from "../../store/changes/viewer-records.ts";
import type { DeviceIdentity } from "../../store/fleet/devices.ts";
import type { RouteCall } from "../route.ts";
import { nextTurn } from "../turns.ts";

const maxWanted = 200;
/** Entries that are skipped together: some milliseconds. */
const maxSkipped = 2_000;
/** After this long without enough of them, what was found is reported first. */
const maxSearchMs = 50;

export interface LogWalk {
  readonly until: number;
  readonly types: ReadonlySet<ChangeType>;
  readonly device: DeviceIdentity | null;
  readonly limit: number;
}

export interface LogPart {
  readonly entries: readonly LoggedChange[];
  /** How far the log was searched; null: to its end. */
  readonly reached: ChangePlace | null;
}

/** The next entries that are about one of the types. Others are skipped, more of them at a time the more there are. */
export async function readLog(call: RouteCall, walk: LogWalk, after: ChangePlace): Promise<LogPart> {
  const { until, device } = walk;
  const types = new Set(trackedTypes.filter((type) => walk.types.has(type)));
  const wanted = Math.min(walk.limit, maxWanted);
  const entries: LoggedChange[] = [];
  const started = performance.now();
  let place = after;
  for (let count = wanted; ; count = Math.min(count * 4, maxSkipped)) {
    const page = { after: place, until, device: device?.device ?? null, types, count };
    const { found, last } = await loggedChanges(call.database, call.visibility, page);
    entries.push(...(await inSight(call, walk, found)));
    if (last === null) return { entries, reached: null };
    place = last;
    if (entries.length >= wanted || performance.now() - started > maxSearchMs) return { entries, reached: place };
    // SQLite answers at once: let others have a turn.
    await nextTurn();
  }
}

/**
 * Without what happened to a device before it came into a sub-account's sight: its past is in the lists. Without `device`
 * among the types nothing says that it came back, so what is known from before it left is reported.
 */
async function inSight(
  { database, visibility }: RouteCall,
  { types }: LogWalk,
  entries: readonly LoggedChange[],
): Promise<readonly LoggedChange[]> {
  if (visibility.sees === "account" || entries.length === 0) return entries;
  const since = await inSightSince(
    database,
    visibility,
    entries.map(({ deviceId }) => deviceId),
  );
  return entries.filter(({ number, deviceId }) => {
    const begin = since.get(deviceId);
    return begin === undefined || number > begin.number || (begin.isReturn && !types.has("device"));
  });
}
