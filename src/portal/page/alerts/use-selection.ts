import { useCallback, useMemo, useRef, useState } from "react";
import type { Alert } from "../api/records.ts";

export interface Selection {
  /** Those of the shown alerts that are selected; nothing that is out of sight. */
  readonly ids: ReadonlySet<string>;
  readonly toggle: (alert: Alert, isRange: boolean) => void;
  readonly choose: (ids: readonly string[]) => void;
}

/** Which of the shown alerts are selected. With Shift, all between the last one and this one follow it. */
export function useSelection(shown: readonly Alert[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const current = useRef(shown);
  current.current = shown;
  const toggle = useCallback((alert: Alert, isRange: boolean) => {
    const ids = current.current.map(({ alert_id }) => alert_id);
    const [from, to] = [ids.indexOf(last.current ?? ""), ids.indexOf(alert.alert_id)];
    const range = isRange && from !== -1 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [alert.alert_id];
    last.current = alert.alert_id;
    setChosen((before) => {
      const next = new Set(before);
      for (const id of range) before.has(alert.alert_id) ? next.delete(id) : next.add(id);
      return next;
    });
  }, []);
  const choose = useCallback((ids: readonly string[]) => setChosen(new Set(ids)), []);
  const ids = useMemo(
    () => new Set(shown.filter(({ alert_id }) => chosen.has(alert_id)).map(({ alert_id }) => alert_id)),
    [shown, chosen],
  );
  return { ids, toggle, choose };
}
