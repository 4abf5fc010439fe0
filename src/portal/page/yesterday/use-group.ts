import { useEffect, useRef, useState } from "react";
import { getJson } from "../api/request.ts";
import {
  type Chosen,
  type FleetDays,
  type FleetPage,
  fleetDaysPath,
  type Group,
  type VehicleDays,
  withPage,
} from "./fleet-days.ts";

const rowsAtOnce = 100;

/** The first vehicles of a group came with the fleet; the others are asked for. */
export function useGroup(group: Group, fleet: FleetDays, chosen: Chosen) {
  const first = fleet.highlights[group];
  const [list, setList] = useState<FleetPage | null>(null);
  const [state, setState] = useState<"idle" | "loading" | { readonly error: unknown }>("idle");
  const shown = useRef(chosen);
  shown.current = chosen;
  // Fresh figures of the same days and vehicles leave open what was opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice begins anew
  useEffect(() => {
    setList(null);
    setState("idle");
  }, [chosen]);
  const total = countOf(group, fleet);
  const vehicles: readonly VehicleDays[] = list?.data ?? first;
  const loadMore = async () => {
    setState("loading");
    try {
      const cursor = list?.next_cursor ?? null;
      const further = { show: group, limit: String(rowsAtOnce), ...(cursor === null ? {} : { cursor }) };
      const page = await getJson<FleetPage>(fleetDaysPath(chosen, further));
      if (shown.current !== chosen) return;
      setList((now) => (now === null ? page : withPage(now, page)));
      setState("idle");
    } catch (error) {
      if (shown.current === chosen) setState({ error });
    }
  };
  return {
    vehicles,
    hasMore: list === null ? total > first.length : list.next_cursor !== null,
    isLoading: state === "loading",
    error: typeof state === "object" ? state.error : null,
    loadMore,
  };
}

function countOf(group: Group, { totals }: FleetDays): number {
  switch (group) {
    case "speeding":
      return totals.speeding_vehicles;
    case "silent":
      return totals.silent;
    case "still":
      return totals.still;
    case "fuel":
      return totals.fuel_vehicles;
  }
}
