import { useEffect, useState } from "react";
import type { Place } from "../../../domain/geometry/distance.ts";
import { getJson } from "../api/request.ts";
import { useSession } from "../common/session.ts";

interface PlaceAnswer {
  readonly name: string | null;
  readonly may_change: boolean;
}

/** About 11 metres, as the server rounds. */
const decimals = 4;
/** Names in memory; the server has more. */
const maxNames = 2000;
/** A place whose name was not to be had is asked for again after this. */
const againAfterMs = 60_000;

interface StoredName {
  readonly name: string | null;
  /** Null: it stays so. */
  readonly askAgainAt: number | null;
}

const names = new Map<string, StoredName>();
let lastQuestion: Promise<unknown> = Promise.resolve();

function placeId(latitude: number, longitude: number): string {
  return `lat=${latitude.toFixed(decimals)}&lon=${longitude.toFixed(decimals)}`;
}

/** The name as far as it is known; undefined if it has to be asked for. */
function storedName(id: string): string | null | undefined {
  const stored = names.get(id);
  if (stored === undefined || (stored.askAgainAt !== null && stored.askAgainAt <= Date.now())) return undefined;
  return stored.name;
}

/** Asks the server, one question after the other. A row that is no longer shown is not asked for: `isWanted` says so. */
function askName(id: string, isWanted: () => boolean): Promise<string | null> {
  const question = lastQuestion.then(async () => {
    const stored = storedName(id);
    if (stored !== undefined) return stored;
    if (!isWanted()) return null;
    // Without a name a place is still a place: a failure is no news.
    const { name, may_change } = await getJson<PlaceAnswer>(`/place?${id}`).catch(() => ({
      name: null,
      may_change: true,
    }));
    const oldest = names.keys().next();
    if (names.size >= maxNames && !oldest.done) names.delete(oldest.value);
    names.set(id, { name, askAgainAt: may_change ? Date.now() + againAfterMs : null });
    return name;
  });
  lastQuestion = question;
  return question;
}

/** The same for whoever waits for it, such as a file. */
export function placeAddress({ latitude, longitude }: Place, isWanted: () => boolean): Promise<string | null> {
  return askName(placeId(latitude, longitude), isWanted);
}

/** The street and town of a place, if the operator has a geocoder; null until it has answered, and if it has no name. */
export function usePlaceName(latitude: number | null, longitude: number | null): string | null {
  const { has_geocoder } = useSession();
  const id = has_geocoder && latitude !== null && longitude !== null ? placeId(latitude, longitude) : null;
  const [answer, setAnswer] = useState<{ readonly id: string; readonly name: string | null } | null>(null);
  useEffect(() => {
    if (id === null || storedName(id) !== undefined) return;
    let isWanted = true;
    askName(id, () => isWanted).then((name) => isWanted && setAnswer({ id, name }));
    return () => {
      isWanted = false;
    };
  }, [id]);
  if (id === null) return null;
  return storedName(id) ?? (answer?.id === id ? answer.name : null);
}
