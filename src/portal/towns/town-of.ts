import type { Place } from "../../domain/geometry/distance.ts";
import type { NearTown } from "../both-sides/places/near-town.ts";
import { nearestTown } from "./nearest-town.ts";
import { loadTowns } from "./town-file.ts";

/** The town that a place is in or near; null on the open sea. The first call reads the file, which takes some milliseconds. */
export async function townOf(place: Place): Promise<NearTown | null> {
  return nearestTown(await loadTowns(), place);
}
