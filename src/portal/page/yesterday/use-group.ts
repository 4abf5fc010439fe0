import { useEffect, useState } from "react";
import { getJson } from "../api/request.ts";
import type { Chosen } from "../common/paths.ts";
import { useMore } from "../common/use-more.ts";
import { type FleetDays, type FleetPage, fleetDaysPath, type Group, withPage } from "./fleet-days.ts";

const rowsAtOnce = 100;

/** The first of the `count` vehicles of a group came with the fleet; the others are asked for. */
export function useGroup(group: Group, count: number, fleet: FleetDays, chosen: Chosen) {
  const first = fleet.highlights[group];
  const [list, setList] = useState<FleetPage | null>(null);
  // Fresh figures of the same days and vehicles leave open what was opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice begins anew
  useEffect(() => setList(null), [chosen]);
  const cursor = list?.next_cursor ?? null;
  const more = useMore(
    chosen,
    (signal) => {
      const further = { show: group, limit: String(rowsAtOnce), ...(cursor === null ? {} : { cursor }) };
      return getJson<FleetPage>(fleetDaysPath(chosen, further), signal);
    },
    (page) => setList((now) => (now === null ? page : withPage(now, page))),
  );
  const hasMore = list === null ? count > first.length : cursor !== null;
  return { ...more, vehicles: list?.data ?? first, hasMore };
}
