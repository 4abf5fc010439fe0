import { useEffect, useState } from "react";
import { collect } from "../api/pages.ts";
import type { Geofence } from "../api/records.ts";
import { useSession } from "../common/session.ts";
import { type Fences, fenceFinder } from "./nearest-fence.ts";

/** More fences than a screen can show. */
const maxFences = 5000;
/** A list this old is loaded again when a page opens. */
const freshMs = 60_000;

let known: { readonly of: string; readonly at: number; readonly fences: Promise<Fences> } | null = null;

/** Loaded once for all pages, and prepared once for all places. */
function freshFences(userId: string): Promise<Fences> {
  if (known === null || known.of !== userId || Date.now() - known.at > freshMs) {
    const fences = collect<Geofence>("geofences", {}, maxFences).then(({ rows }) => ({
      rows,
      byId: new Map(rows.map((fence) => [fence.geofence_id, fence])),
      find: fenceFinder(rows),
    }));
    const mine = { of: userId, at: Date.now(), fences };
    known = mine;
    fences.catch(() => {
      if (known === mine) known = null;
    });
  }
  return known.fences;
}

/** One of them was changed here. */
export function forgetFences(): void {
  known = null;
}

/** Every fence that the person sees; null until they are loaded, and if they cannot be: names of places are no necessity. */
export function useFences(): Fences | null {
  const { user } = useSession();
  const [fences, setFences] = useState<Fences | null>(null);
  useEffect(() => {
    let isCurrent = true;
    freshFences(user.user_id).then(
      (loaded) => isCurrent && setFences(loaded),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [user.user_id]);
  return fences;
}
