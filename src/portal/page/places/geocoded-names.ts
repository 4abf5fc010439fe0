import { getJson } from "../api/request.ts";

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

interface Known {
  readonly name: string | null;
  /** Null: it stays so. */
  readonly askAgainAt: number | null;
}

const names = new Map<string, Known>();
let lastQuestion: Promise<unknown> = Promise.resolve();

export function placeId(latitude: number, longitude: number): string {
  return `lat=${latitude.toFixed(decimals)}&lon=${longitude.toFixed(decimals)}`;
}

/** The name as far as it is known; undefined if it has to be asked for. */
export function knownName(id: string, now: number): string | null | undefined {
  const known = names.get(id);
  if (known === undefined || (known.askAgainAt !== null && known.askAgainAt <= now)) return undefined;
  return known.name;
}

/** Asks the server, one question after the other. A row that is no longer shown is not asked for: `isWanted` says so. */
export function askName(id: string, isWanted: () => boolean): Promise<string | null> {
  const question = lastQuestion.then(async () => {
    const known = knownName(id, Date.now());
    if (known !== undefined) return known;
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
