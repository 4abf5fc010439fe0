import { useCallback, useEffect, useRef, useState } from "react";
import type { Effect } from "../api/portal-records.ts";
import { PortalError, send } from "../api/request.ts";
import type { FleetVehicle, VehicleStatus } from "./vehicle-records.ts";

/** The server takes as many in one request. */
export const maxAtOnce = 1_000;

/** What is done to several vehicles. */
export interface SeveralChange {
  readonly status?: VehicleStatus;
  readonly add_tags?: readonly string[];
  readonly remove_tags?: readonly string[];
  readonly add_user_ids?: readonly string[];
  readonly remove_user_ids?: readonly string[];
}

interface Previewed {
  readonly effect: Effect;
  /** How many of them are not so already. */
  readonly changed: number;
}

interface ChangingSeveral {
  /** What saving would concern; null: not known yet. */
  readonly preview: Previewed | null;
  readonly isSaving: boolean;
  readonly error: unknown;
  readonly isConflict: boolean;
  /** How many were changed; null: it was refused. */
  readonly save: () => Promise<number | null>;
}

/** A person should not see the effect jump at each letter. */
const pauseMs = 300;
const path = "/fleet/devices/change";

/** Says what a change of several vehicles would concern, then makes it: of all of them, or of none. */
export function useSeveral(vehicles: readonly FleetVehicle[], change: SeveralChange | null): ChangingSeveral {
  const [preview, setPreview] = useState<Previewed | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const devices = vehicles.map(({ device_id, revision }) => ({ device_id, revision }));
  const text = change === null ? null : JSON.stringify({ devices, ...change });
  const newest = useRef(text);
  newest.current = text;
  useEffect(() => {
    setPreview(null);
    setError(null);
    if (text === null) return;
    const timer = setTimeout(async () => {
      try {
        const { data } = await send<{ readonly data: Previewed }>("POST", `${path}?preview=true`, JSON.parse(text));
        if (newest.current === text) setPreview(data);
      } catch (cause) {
        if (newest.current === text) setError(cause);
      }
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  const save = useCallback(async () => {
    if (text === null) return null;
    setSaving(true);
    try {
      return (await send<{ readonly data: Pick<Previewed, "changed"> }>("POST", path, JSON.parse(text))).data.changed;
    } catch (cause) {
      setError(cause);
      setSaving(false);
      return null;
    }
  }, [text]);
  const isConflict = error instanceof PortalError && error.code === "CONFLICT";
  return { preview, isSaving, error, isConflict, save };
}
