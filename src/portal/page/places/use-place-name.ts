import { useEffect, useState } from "react";
import type { Place } from "../../../domain/geometry/distance.ts";
import { to } from "../../both-sides/address.ts";
import { getJson } from "../api/request.ts";
import { useSession } from "../common/session.ts";

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

/** A row that waits for its name. */
interface WaitingRow {
  readonly id: string;
  /** Whether it is still shown: else it is not asked for. */
  readonly isWanted: () => boolean;
  readonly answer: (name: string | null) => void;
}

/** As many as the server names at once. */
const maxAtOnce = 10;
/** A session has 50 calls a second, and the page needs others. */
const pauseMs = 50;

const waiting: WaitingRow[] = [];
let isAsking = false;

function placeId(latitude: number, longitude: number): string {
  return `${latitude.toFixed(decimals)},${longitude.toFixed(decimals)}`;
}

/** The name as far as it is known; undefined if it has to be asked for. */
function storedName(id: string): string | null | undefined {
  const stored = names.get(id);
  if (stored === undefined || (stored.askAgainAt !== null && stored.askAgainAt <= Date.now())) return undefined;
  return stored.name;
}

/** The name of a place. Rows that are shown at the same time are asked for together. */
function askName(id: string, isWanted: () => boolean): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  waiting.push({ id, isWanted, answer: resolve });
  if (!isAsking) void askWaiting();
  return promise;
}

async function askWaiting(): Promise<void> {
  isAsking = true;
  // The other rows of the same moment come, too.
  await Promise.resolve();
  while (waiting.length > 0) {
    const rows = waiting.splice(0);
    const wanted = rows.filter(({ id, isWanted }) => storedName(id) === undefined && isWanted());
    const ids = [...new Set(wanted.map(({ id }) => id))].slice(0, maxAtOnce);
    if (ids.length > 0) await askNames(ids);
    for (const row of rows) {
      const isLeft = storedName(row.id) === undefined && row.isWanted();
      if (isLeft) waiting.push(row);
      else row.answer(storedName(row.id) ?? null);
    }
    if (waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  isAsking = false;
}

async function askNames(ids: readonly string[]): Promise<void> {
  // Without a name a place is still a place: a failure is no news.
  const answers = await getJson(to("GET /places", { at: ids })).then(
    ({ data }) => data,
    () => [],
  );
  for (const [index, id] of ids.entries()) {
    const { name, may_change } = answers[index] ?? { name: null, may_change: true };
    const oldest = names.keys().next();
    if (names.size >= maxNames && !oldest.done) names.delete(oldest.value);
    // One that is named is shown as it is; only the missing ones are asked for again.
    names.set(id, { name, askAgainAt: may_change && name === null ? Date.now() + againAfterMs : null });
  }
}

/** The same, to be awaited, as a file does. */
export function placeAddress({ latitude, longitude }: Place, isWanted: () => boolean): Promise<string | null> {
  return askName(placeId(latitude, longitude), isWanted);
}

/** The street of a place, if the server knows streets; null until it has answered, and if it has no name. */
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
