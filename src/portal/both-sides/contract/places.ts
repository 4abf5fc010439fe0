import type { Call, List } from "./envelopes.ts";

export interface PlaceRoutes {
  /** Names of places by their streets, in the order in which they are asked for. */
  "GET /places": Call<List<PlaceAnswer>>;
}

export interface PlaceAnswer {
  readonly name: string | null;
  readonly may_change: boolean;
}
