import { useMemo } from "react";
import type { GeofenceEvent } from "../api/records.ts";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Column } from "./column.ts";
import { ListReport } from "./list-report.tsx";
import { type ListScope, listSource } from "./list-source.ts";
import { sum } from "./mileage-days.ts";
import { MomentLink } from "./moment-link.tsx";
import { offerOf } from "./offer.ts";
import type { RowSource } from "./row-source.ts";
import { type ReportScope, vehicleName } from "./scope.ts";
import { useSort } from "./use-sort.ts";

const usual = { column: "time", isDescending: false };

/** When vehicles came into fences and left them. */
export function CrossingsReport({ scope }: { readonly scope: ReportScope }) {
  const { reports: words } = useTexts();
  const columns = useCrossingColumns(scope);
  const order = useSort(columns, usual);
  const { list } = scope;
  const open = useMemo(() => list && (() => crossingSource(list)), [list]);
  return (
    <ListReport
      caption={words.kinds.crossings}
      columns={columns}
      keyOf={({ event_id }) => event_id}
      open={open}
      order={order}
      count={words.crossings}
      downloads={offerOf(scope, "geofence-events", ["csv", "geojson"])}
      emptyText={words.noCrossings}
    />
  );
}

function crossingSource(list: ListScope): RowSource<GeofenceEvent> {
  return listSource<GeofenceEvent, GeofenceEvent>(list, {
    path: "geofence-events",
    timeOf: ({ occurred_at }) => occurred_at,
    rowsOf: (events) => events,
  });
}

function useCrossingColumns({ devices, zone }: ReportScope): readonly Column<GeofenceEvent>[] {
  const { reports: words, common } = useTexts();
  const show = useShow();
  return useMemo(() => {
    const nameOf = ({ device_id, imei }: GeofenceEvent) => vehicleName(devices, device_id, imei);
    const columns: Column<GeofenceEvent>[] = [
      {
        id: "time",
        title: words.time,
        isHead: true,
        cell: ({ device_id, occurred_at }) => <MomentLink deviceId={device_id} at={occurred_at} zone={zone} />,
        value: ({ occurred_at }) => Date.parse(occurred_at),
      },
      { id: "vehicle", title: common.vehicle, cell: nameOf, value: nameOf },
      {
        id: "fence",
        title: words.fence,
        cell: ({ geofence_name }) => geofence_name,
        value: ({ geofence_name }) => geofence_name,
      },
      {
        id: "event",
        title: words.event,
        cell: ({ event_type }) => words.events[event_type],
        value: ({ event_type }) => event_type,
      },
      {
        id: "dwell",
        title: words.dwell,
        isFigure: true,
        cell: ({ dwell_s }) => (dwell_s === null ? common.unknown : show.duration(dwell_s)),
        value: ({ dwell_s }) => dwell_s,
        total: (rows) => show.duration(sum(rows.map(({ dwell_s }) => dwell_s ?? 0))),
      },
    ];
    return columns;
  }, [words, common, show, devices, zone]);
}
