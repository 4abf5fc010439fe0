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

const places = new Map<string, StoredPlace>();

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

const waiting: WaitingRow[] = [];
let isAsking = false;

function placeId(latitude: number, longitude: number): string {
  return `${latitude.toFixed(decimals)},${longitude.toFixed(decimals)}`;
}

/** As far as it is known; undefined if it has to be asked for. */
function storedPlace(id: string): PlaceAround | undefined {
  const stored = places.get(id);
  if (stored === undefined || (stored.askAgainAt !== null && stored.askAgainAt <= Date.now())) return undefined;
  return stored.place;
}

/** Rows that are shown at the same time are asked for together. */
function askPlace(id: string, hasGeocoder: boolean, isWanted: () => boolean): Promise<PlaceAround | null> {
  const { promise, resolve } = Promise.withResolvers<PlaceAround | null>();
  waiting.push({ id, isWanted, answer: resolve });
  if (!isAsking) void askWaiting(hasGeocoder ? maxAtOnceOfGeocoder : maxAtOnce);
  return promise;
}

async function askWaiting(atOnce: number): Promise<void> {
  isAsking = true;
  // The other rows of the same moment come, too.
  await Promise.resolve();
  while (waiting.length > 0) {
    const rows = waiting.splice(0);
    const wanted = rows.filter(({ id, isWanted }) => storedPlace(id) === undefined && isWanted());
    const ids = [...new Set(wanted.map(({ id }) => id))].slice(0, atOnce);
    if (ids.length > 0) await askPlaces(ids);
    for (const row of rows) {
      const isLeft = storedPlace(row.id) === undefined && row.isWanted();
      if (isLeft) waiting.push(row);
      else row.answer(storedPlace(row.id) ?? null);
    }
    if (waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  isAsking = false;
}

async function askPlaces(ids: readonly string[]): Promise<void> {
  // Without a name a place is still a place: a failure is no news.
  const answers = await getJson(to("GET /places", { at: ids })).then(
    ({ data }) => data,
    () => [],
  );
  for (const [index, id] of ids.entries()) {
    const { name, town, may_change } = answers[index] ?? { name: null, town: null, may_change: true };
    const oldest = places.keys().next();
    if (places.size >= maxStored && !oldest.done) places.delete(oldest.value);
    // One whose street is known is shown as it is; only the missing ones are asked for again.
    const askAgainAt = may_change && name === null ? Date.now() + againAfterMs : null;
    places.set(id, { place: { street: name, town }, askAgainAt });
  }
}

/** The same, to be awaited, as a file does. */
export function placeAround({ latitude, longitude }: Place, hasGeocoder: boolean): Promise<PlaceAround | null> {
  return askPlace(placeId(latitude, longitude), hasGeocoder, () => true);
}

/** The street and the town of a place; null until the server has answered, and where there is no place. */
export function usePlaceAround(place: Place | null): PlaceAround | null {
  const { has_geocoder: hasGeocoder } = useSession();
  const id = place && placeId(place.latitude, place.longitude);
  const [answer, setAnswer] = useState<{ readonly id: string; readonly place: PlaceAround | null } | null>(null);
  useEffect(() => {
    if (id === null || storedPlace(id) !== undefined) return;
    let isWanted = true;
    askPlace(id, hasGeocoder, () => isWanted).then((found) => isWanted && setAnswer({ id, place: found }));
    return () => {
      isWanted = false;
    };
  }, [id, hasGeocoder]);
  if (id === null) return null;
  return storedPlace(id) ?? (answer?.id === id ? answer.place : null);
}
