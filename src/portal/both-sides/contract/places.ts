import type { NearTown } from "../places/near-town.ts";
import type { Call, List } from "./envelopes.ts";

export interface PlaceRoutes {
  /** Streets and towns of places, in the order in which they are asked for. */
  "GET /places": Call<List<PlaceAnswer>>;
}

export interface PlaceAnswer {
  /** The street, from the geocoder or the street tiles. */
  readonly name: string | null;
  readonly town: NearTown | null;
  /** Whether asking again later may give a street. */
  readonly may_change: boolean;
}
