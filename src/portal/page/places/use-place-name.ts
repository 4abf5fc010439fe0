import { useEffect, useState } from "react";
import { useSession } from "../common/session.ts";
import { askName, knownName, placeId } from "./geocoded-names.ts";

/** The street and town of a place, if the operator has a geocoder; null until it has answered, and if it has no name. */
export function usePlaceName(latitude: number | null, longitude: number | null): string | null {
  const { has_geocoder } = useSession();
  const id = has_geocoder && latitude !== null && longitude !== null ? placeId(latitude, longitude) : null;
  const [answer, setAnswer] = useState<{ readonly id: string; readonly name: string | null } | null>(null);
  useEffect(() => {
    if (id === null || knownName(id, Date.now()) !== undefined) return;
    let isWanted = true;
    askName(id, () => isWanted).then((name) => isWanted && setAnswer({ id, name }));
    return () => {
      isWanted = false;
    };
  }, [id]);
  if (id === null) return null;
  return knownName(id, Date.now()) ?? (answer?.id === id ? answer.name : null);
}
