import type { FenceInForce } from "../../domain/device-context.ts";
import { foldFrom, snapshotOf } from "../../domain/fold.ts";
import type { Place } from "../../domain/geometry/distance.ts";
import { signedDistanceMetres } from "../../domain/geometry/fence-area.ts";
import { neverReported } from "../../domain/stops/ignition-time.ts";
import { type OpenStop, stopOver } from "../../domain/stops/stop-state.ts";
import { openTripStart } from "../../domain/trips/trips.ts";
import type { Reader } from "../../store/database.ts";
import type { DatedFact } from "../../store/facts/facts.ts";
import {
  type CrossedFence,
  crossingsFinalBefore,
  type EndedTrip,
  hasStopsBefore,
  tripsFinalBefore,
} from "../../store/facts/trips-before.ts";
import { stateBefore } from "../base.ts";
import type { TrackedContext } from "../context.ts";
import { type DeviceState, finalUntil } from "../state.ts";

/**
 * The rules before the fifth knew no stops. Where frames were dropped since, the stops are made from the stored trips and
 * crossings. How long the ignition was on is not known of them.
 */

/**
 * The state at the last checkpoint before a moment. If frames up to that checkpoint were dropped under earlier rules, it does not
 * know where the vehicle stands, and is told.
 */
export async function stateSince(
  reader: Reader,
  tracked: TrackedContext,
  moment: number,
  droppedUntil: number | null,
): Promise<DeviceState> {
  const state = await stateBefore(reader, tracked, moment);
  if (droppedUntil === null || state.place === null || state.place.recordedAt > droppedUntil) return state;
  const { judge, stages } = snapshotOf(state.fold);
  if (stages.stops.open !== null || openTripStart(stages.trips) !== null) return state;
  const last = (await stopsUntil(reader, tracked, finalUntil(state))).at(-1);
  if (last === undefined) return state;
  const open = { ...last.stop, lastAt: Math.max(last.stop.startedAt, state.place.recordedAt) };
  return {
    ...state,
    fold: foldFrom({ judge, stages: { ...stages, stops: { open, switchedOff: null } } }, tracked.derivation),
  };
}

/** The stops that ended before a state that has no frames before it. None if they are stored already. */
export async function stopsBefore(reader: Reader, tracked: TrackedContext, state: DeviceState): Promise<DatedFact[]> {
  const until = finalUntil(state);
  if (await hasStopsBefore(reader, tracked, until)) return [];
  const stops = await stopsUntil(reader, tracked, until);
  const underWay = openTripStart(snapshotOf(state.fold).stages.trips);
  return stops.flatMap(({ stop }, index): DatedFact[] => {
    const next = stops[index + 1];
    const endedAt = next?.trip.started_at ?? underWay;
    return endedAt === null ? [] : [{ fact: stopOver(stop, endedAt), finalAt: next?.trip.final_at ?? endedAt }];
  });
}

interface EarlierStop {
  readonly stop: OpenStop;
  readonly trip: EndedTrip;
}

/** After each trip that was final before a moment. */
async function stopsUntil(reader: Reader, tracked: TrackedContext, moment: number): Promise<EarlierStop[]> {
  const trips = await tripsFinalBefore(reader, tracked, moment);
  const fences = new FencesInside(await crossingsFinalBefore(reader, tracked, moment));
  return trips.map((trip, index) => {
    const place = { latitude: trip.end_latitude_e7 / 1e7, longitude: trip.end_longitude_e7 / 1e7 };
    const until = trips[index + 1]?.started_at ?? moment;
    const liesIn = (id: string, at: number) => containsPlace(tracked.derivation.fences.find(id, at), place);
    const fenceIds = fences.at(trip.ended_at).filter((id) => liesIn(id, trip.ended_at) && liesIn(id, until));
    return { trip, stop: stopAfterRow(trip, place, fenceIds) };
  });
}

/** Crossings alone do not show it: a fence that was edited, or taken from the vehicle, has no exit. */
function containsPlace(fence: FenceInForce | null, place: Place): boolean {
  return fence !== null && signedDistanceMetres(fence.area, place) <= 0;
}

function stopAfterRow(trip: EndedTrip, place: Place, fenceIds: readonly string[]): OpenStop {
  return {
    tripStartedAt: trip.started_at,
    startedAt: trip.ended_at,
    ...place,
    fenceIds,
    ignition: neverReported,
    isPartlyGone: true,
    lastAt: trip.ended_at,
    updatedAt: trip.updated_at,
  };
}

/** By the crossings in their order, at moments in their order. */
class FencesInside {
  readonly #crossings: readonly CrossedFence[];
  readonly #inside = new Set<string>();
  #next = 0;

  constructor(crossings: readonly CrossedFence[]) {
    this.#crossings = crossings;
  }

  at(moment: number): readonly string[] {
    for (; this.#next < this.#crossings.length; this.#next++) {
      const { geofence_id: id, event_type: type, occurred_at: at } = this.#crossings[this.#next] as CrossedFence;
      if (at > moment) break;
      if (type === "enter") this.#inside.add(id);
      else this.#inside.delete(id);
    }
    return [...this.#inside].sort();
  }
}
