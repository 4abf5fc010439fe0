import { useMemo } from "react";
import type { Trip } from "../api/records.ts";
import { Time } from "../common/time.tsx";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Column } from "./column.ts";
import { ListReport } from "./list-report.tsx";
import { type ListScope, listSource } from "./list-source.ts";
import { sum } from "./mileage-days.ts";
import { MomentLink } from "./moment-link.tsx";
import { downloadPath, offerOf } from "./offer.ts";
import { PlaceCell } from "./place-cell.tsx";
import type { RowSource } from "./row-source.ts";
import { type ReportScope, vehicleName } from "./scope.ts";
import { useSort } from "./use-sort.ts";

const usual = { column: "start", isDescending: false };

type TripRow = Pick<
  Trip,
  | "trip_id"
  | "device_id"
  | "imei"
  | "started_at"
  | "ended_at"
  | "start"
  | "end"
  | "distance_km"
  | "duration_s"
  | "idle_s"
  | "max_speed_kmh"
>;

/** Trips that began in the period, in the order of their starts. */
export function TripsReport({ scope }: { readonly scope: ReportScope }) {
  const { reports: words } = useTexts();
  const columns = useTripColumns(scope);
  const order = useSort(columns, usual);
  const { list, chosen } = scope;
  const open = useMemo(() => list && (() => tripSource(list)), [list]);
  const files = offerOf(scope, "trips", ["csv", "geojson", "gpx"]);
  const track = { text: words.track, path: downloadPath(scope, "positions", "gpx") };
  return (
    <ListReport
      caption={words.kinds.trips}
      columns={columns}
      keyOf={({ trip_id }) => trip_id}
      open={open}
      order={order}
      count={words.trips}
      downloads={chosen.vehicles.length === 1 && list !== null ? [...files, track] : files}
      emptyText={words.noTrips}
    />
  );
}

function tripSource(list: ListScope): RowSource<TripRow> {
  return listSource<Trip, TripRow>(list, { path: "trips", timeOf: ({ started_at }) => started_at, rowsOf });
}

/** A trip that began before the window is another window's, or another period's. */
function rowsOf(trips: readonly Trip[], window: { readonly from: number }): TripRow[] {
  return trips
    .filter(({ started_at }) => Date.parse(started_at) >= window.from)
    .map(({ trip_id, device_id, imei, started_at, ended_at, start, end, ...trip }) => ({
      ...{ trip_id, device_id, imei, started_at, ended_at, start, end },
      distance_km: trip.distance_km,
      duration_s: trip.duration_s,
      idle_s: trip.idle_s,
      max_speed_kmh: trip.max_speed_kmh,
    }));
}

function useTripColumns({ devices, zone }: ReportScope): readonly Column<TripRow>[] {
  const { reports: words, common } = useTexts();
  const show = useShow();
  return useMemo(() => {
    const nameOf = ({ device_id, imei }: TripRow) => vehicleName(devices, device_id, imei);
    const columns: Column<TripRow>[] = [
      {
        id: "start",
        title: words.start,
        isHead: true,
        cell: ({ device_id, started_at }) => <MomentLink deviceId={device_id} at={started_at} zone={zone} />,
        value: ({ started_at }) => Date.parse(started_at),
      },
      { id: "vehicle", title: common.vehicle, cell: nameOf, value: nameOf },
      { id: "from", title: words.fromPlace, cell: ({ start }) => <PlaceCell place={start} /> },
      { id: "to", title: words.toPlace, cell: ({ end }) => <PlaceCell place={end} /> },
      {
        id: "end",
        title: words.end,
        cell: ({ ended_at }) => (ended_at === null ? words.underWay : <Time at={ended_at} detail="time" />),
        value: ({ ended_at }) => (ended_at === null ? null : Date.parse(ended_at)),
      },
      {
        id: "distance",
        title: words.distance,
        isFigure: true,
        cell: ({ distance_km }) => show.distance(distance_km),
        value: ({ distance_km }) => distance_km,
        total: (rows) => show.distance(sum(rows.map(({ distance_km }) => distance_km))),
      },
      {
        id: "duration",
        title: words.duration,
        isFigure: true,
        cell: ({ duration_s }) => show.duration(duration_s),
        value: ({ duration_s }) => duration_s,
        total: (rows) => show.duration(sum(rows.map(({ duration_s }) => duration_s))),
      },
      {
        id: "idle",
        title: words.idle,
        isFigure: true,
        cell: ({ idle_s }) => show.duration(idle_s),
        value: ({ idle_s }) => idle_s,
        total: (rows) => show.duration(sum(rows.map(({ idle_s }) => idle_s))),
      },
      {
        id: "top-speed",
        title: words.topSpeed,
        isFigure: true,
        cell: ({ max_speed_kmh }) => (max_speed_kmh === null ? common.unknown : show.speed(max_speed_kmh)),
        value: ({ max_speed_kmh }) => max_speed_kmh,
      },
    ];
    return columns;
  }, [words, common, show, devices, zone]);
}
