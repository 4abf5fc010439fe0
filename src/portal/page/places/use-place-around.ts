import { useEffect, useState } from "react";
import type { Place } from "../../../domain/geometry/distance.ts";
import { to } from "../../both-sides/address.ts";
import type { NearTown } from "../../both-sides/places/near-town.ts";
import { getJson } from "../api/request.ts";
import { useSession } from "../common/session.ts";

/** About 11 metres, as the server rounds. */
const decimals = 4;
/** In memory; the server has more. */
const maxStored = 2000;
/** A place whose street was not to be had is asked for again after this. */
const againAfterMs = 60_000;

/** What the server knows of a place. */
export interface PlaceAround {
  readonly street: string | null;
  readonly town: NearTown | null;
}

interface StoredPlace {
  readonly place: PlaceAround;
  /** Null: it stays so. */
  readonly askAgainAt: number | null;
}

/** A row that waits for its name. */
interface WaitingRow {
  readonly id: string;
  /** Whether it is still shown: else it is not asked for. */
  readonly isWanted: () => boolean;
  readonly answer: (place: PlaceAround | null) => void;
}

/** As many as the server names at once. */
const maxAtOnce = 100;
/** A geocoder answers one question after the other, and rows would wait for all of them. */
const maxAtOnceOfGeocoder = 10;
/** A session has 50 calls a second, and the page needs others. */
const pauseMs = 50;

function placeId(latitude: number, longitude: number): string {
  return `${latitude.toFixed(decimals)},${longitude.toFixed(decimals)}`;
}

/** Asks for the places of rows that are shown at the same time together, and knows them afterwards. */
class PlaceAsker {
  readonly #query: { readonly streets?: string };
  readonly #places = new Map<string, StoredPlace>();
  readonly #waiting: WaitingRow[] = [];
  #isAsking = false;

  constructor(query: { readonly streets?: string }) {
    this.#query = query;
  }

  /** As far as it is known; undefined if it has to be asked for. */
  stored(id: string): PlaceAround | undefined {
    const stored = this.#places.get(id);
    if (stored === undefined || (stored.askAgainAt !== null && stored.askAgainAt <= Date.now())) return undefined;
    return stored.place;
  }

  forget(): void {
    this.#places.clear();
  }

  ask(id: string, atOnce: number, isWanted: () => boolean): Promise<PlaceAround | null> {
    const { promise, resolve } = Promise.withResolvers<PlaceAround | null>();
    this.#waiting.push({ id, isWanted, answer: resolve });
    if (!this.#isAsking) void this.#askWaiting(atOnce);
    return promise;
  }

  async #askWaiting(atOnce: number): Promise<void> {
    this.#isAsking = true;
    // The other rows of the same moment come, too.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const rows = this.#waiting.splice(0);
      const wanted = rows.filter(({ id, isWanted }) => this.stored(id) === undefined && isWanted());
      const ids = [...new Set(wanted.map(({ id }) => id))].slice(0, atOnce);
      if (ids.length > 0) await this.#askPlaces(ids);
      for (const row of rows) {
        const isLeft = this.stored(row.id) === undefined && row.isWanted();
        if (isLeft) this.#waiting.push(row);
        else row.answer(this.stored(row.id) ?? null);
      }
      if (this.#waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.#isAsking = false;
  }

  async #askPlaces(ids: readonly string[]): Promise<void> {
    // Without a name a place is still a place: a failure is no news.
    const answers = await getJson(to("GET /places", { at: ids, ...this.#query })).then(
      ({ data }) => data,
      () => [],
    );
    for (const [index, id] of ids.entries()) {
      const { name, town, may_change } = answers[index] ?? { name: null, town: null, may_change: true };
      const oldest = this.#places.keys().next();
      if (this.#places.size >= maxStored && !oldest.done) this.#places.delete(oldest.value);
      // One whose street is known is shown as it is; only the missing ones are asked for again.
      const askAgainAt = may_change && name === null ? Date.now() + againAfterMs : null;
      this.#places.set(id, { place: { street: name, town }, askAgainAt });
    }
  }
}

const withStreets = new PlaceAsker({});
/** For rows that must not wait for a geocoder. */
const townsOnly = new PlaceAsker({ streets: "false" });

/** There are other streets now. */
export function forgetPlaces(): void {
  withStreets.forget();
}

/** The same as the hook, to be awaited, as a file does. */
export function placeAround({ latitude, longitude }: Place, hasGeocoder: boolean): Promise<PlaceAround | null> {
  return withStreets.ask(placeId(latitude, longitude), hasGeocoder ? maxAtOnceOfGeocoder : maxAtOnce, () => true);
}

/** The street and the town of a place; null until the server has answered, and where there is no place. */
export function usePlaceAround(place: Place | null, { isTownEnough = false } = {}): PlaceAround | null {
  const { has_geocoder: hasGeocoder } = useSession();
  const id = place && placeId(place.latitude, place.longitude);
  const asker = isTownEnough ? townsOnly : withStreets;
  const atOnce = hasGeocoder && !isTownEnough ? maxAtOnceOfGeocoder : maxAtOnce;
  const [answer, setAnswer] = useState<{ readonly id: string; readonly place: PlaceAround | null } | null>(null);
  useEffect(() => {
    if (id === null || asker.stored(id) !== undefined) return;
    let isWanted = true;
    asker.ask(id, atOnce, () => isWanted).then((found) => isWanted && setAnswer({ id, place: found }));
    return () => {
      isWanted = false;
    };
  }, [id, asker, atOnce]);
  if (id === null) return null;
  return asker.stored(id) ?? (answer?.id === id ? answer.place : null);
}
