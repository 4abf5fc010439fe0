import { useCallback, useEffect, useRef } from "react";
import type { Position } from "../../both-sides/contract/data.ts";
import type { Window } from "../../both-sides/periods/days.ts";
import { useAddress } from "../common/navigation/address.ts";
import { type MomentQuery, momentOf, type Sought } from "./find-moment.ts";

/** An arrow key that is held moves the slider many times a second; browsers refuse so many changes of the address. */
const settledMs = 200;

/**
 * The moment that the address asks for, null if it asks for none, and a way to keep another one in the address. What is
 * kept so is not asked for: neither player nor map jump to it. A day that grows is not searched again.
 */
export function useMoment({ at, find }: MomentQuery, track: readonly Position[], window: Window) {
  const name = nameOf(at, find);
  const kept = useRef<string | null>(null);
  const opened = useRef<{ readonly name: string; readonly moment: number | null } | null>(null);
  if (opened.current === null || (name !== opened.current.name && name !== kept.current)) {
    opened.current = { name, moment: momentOf({ at, find }, track, window) };
  }
  const address = useAddress();
  const latest = useRef(address);
  latest.current = address;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const keep = useCallback((moment: number) => {
    const whole = Math.round(moment);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      kept.current = nameOf(whole, null);
      latest.current.set({ at: new Date(whole).toISOString(), find: null });
    }, settledMs);
  }, []);
  return { moment: opened.current.moment, keep };
}

function nameOf(at: number | null, find: Sought | null): string {
  return `${at} ${find}`;
}
