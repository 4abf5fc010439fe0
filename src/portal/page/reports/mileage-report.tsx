import { useMemo, useState } from "react";
import { momentPath } from "../common/paths.ts";
import { Link } from "../common/route.tsx";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Column } from "./column.ts";
import { daySource } from "./day-source.ts";
import { type FleetRow, type FleetTotals, fleetSource } from "./fleet-source.ts";
import { ListReport } from "./list-report.tsx";
import { greater, type MileageDay, sum } from "./mileage-days.ts";
import { offerOf } from "./offer.ts";
import type { ReportScope } from "./scope.ts";
import { useSort } from "./use-sort.ts";
import { useSwitch, ViewSwitch } from "./view-switch.tsx";

const views = ["vehicles", "days"] as const;

/** How far the vehicles drove: each of them, or all of them on each day. */
export function MileageReport({ scope }: { readonly scope: ReportScope }) {
  const { reports: words } = useTexts();
  const [view, choose] = useSwitch(views);
  return (
    <>
      <ViewSwitch
        name="view"
        label={words.show}
        options={views}
        words={words.mileageViews}
        value={view}
        onChange={choose}
      />
      {view === "vehicles" ? <ByVehicle scope={scope} /> : <ByDay scope={scope} />}
    </>
  );
}

const usualVehicles = { column: "distance", isDescending: true };

function ByVehicle({ scope }: { readonly scope: ReportScope }) {
  const { reports: words, common } = useTexts();
  const [totals, setTotals] = useState<FleetTotals | null>(null);
  const columns = useVehicleColumns(scope, totals);
  const order = useSort(columns, usualVehicles);
  const { list, period, chosen } = scope;
  // The vehicles of `chosen` are those of `list`.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new object for the same choice would read it anew
  const open = useMemo(
    () => list && (() => fleetSource({ list, period, chosen }, order.sort, setTotals)),
    [list, period, order.sort],
  );
  return (
    <ListReport
      caption={words.kinds.mileage}
      columns={columns}
      keyOf={({ device_id }) => device_id}
      open={open}
      order={order}
      isOrderedByServer
      hasWholeTotals
      count={common.vehicles}
      downloads={offerOf(scope, "mileage", ["csv"])}
      emptyText={words.noVehicles}
    />
  );
}

function useVehicleColumns({ zone }: ReportScope, totals: FleetTotals | null): readonly Column<FleetRow>[] {
  const { reports: words, common } = useTexts();
  const show = useShow();
  return useMemo(() => {
    const speed = (kmh: number | null) => (kmh === null ? common.unknown : show.speed(kmh));
    const columns: Column<FleetRow>[] = [
      {
        id: "vehicle",
        title: common.vehicle,
        isHead: true,
        cell: ({ device_id, name, plate, first_trip_at }) => (
          <>
            {first_trip_at === null ? name : <Link to={momentPath(device_id, first_trip_at, zone)}>{name}</Link>}
            {plate !== null && <span className="quiet"> {plate}</span>}
          </>
        ),
        value: ({ name }) => name,
      },
      {
        id: "distance",
        title: words.distance,
        isFigure: true,
        cell: ({ distance_km }) => show.distance(distance_km),
        value: ({ distance_km }) => distance_km,
        total: () => totals && show.distance(totals.distance_km),
      },
      {
        id: "trips",
        title: words.tripCount,
        isFigure: true,
        cell: ({ trip_count }) => show.number(trip_count),
        value: ({ trip_count }) => trip_count,
        total: () => totals && show.number(totals.trip_count),
      },
      {
        id: "days",
        title: words.daysDriven,
        isFigure: true,
        cell: ({ days_driven }) => show.number(days_driven),
      },
      {
        id: "driving",
        title: words.driving,
        isFigure: true,
        cell: ({ driving_s }) => show.duration(driving_s),
        value: ({ driving_s }) => driving_s,
        total: () => totals && show.duration(totals.driving_s),
      },
      {
        id: "idle",
        title: words.idle,
        isFigure: true,
        cell: ({ idle_s }) => show.duration(idle_s),
        value: ({ idle_s }) => idle_s,
        total: () => totals && show.duration(totals.idle_s),
      },
      {
        id: "top-speed",
        title: words.topSpeed,
        isFigure: true,
        cell: ({ device_id, max_speed_kmh, fastest_trip_at }) =>
          fastest_trip_at === null ? (
            speed(max_speed_kmh)
          ) : (
            <Link to={`${momentPath(device_id, fastest_trip_at, zone)}&find=speed`}>{speed(max_speed_kmh)}</Link>
          ),
        value: ({ max_speed_kmh }) => max_speed_kmh,
        total: () => totals && speed(totals.max_speed_kmh),
      },
    ];
    return columns;
  }, [words, common, show, zone, totals]);
}

const usualDays = { column: "day", isDescending: false };

function ByDay({ scope }: { readonly scope: ReportScope }) {
  const { reports: words } = useTexts();
  const columns = useDayColumns(scope);
  const order = useSort(columns, usualDays);
  const { list, period, zone, devices } = scope;
  const open = useMemo(
    () => list && devices && (() => daySource({ list, period, zone, devices })),
    [list, period, zone, devices],
  );
  return (
    <ListReport
      caption={words.kinds.mileage}
      columns={columns}
      keyOf={({ date }) => date}
      open={open}
      order={order}
      count={words.days}
      downloads={offerOf(scope, "mileage", ["csv"])}
      emptyText={words.noMileage}
    />
  );
}

function useDayColumns({ list }: ReportScope): readonly Column<MileageDay>[] {
  const { reports: words, common } = useTexts();
  const show = useShow();
  const deviceId = list?.deviceId ?? null;
  return useMemo(() => {
    const speed = (kmh: number | null) => (kmh === null ? common.unknown : show.speed(kmh));
    /** One vehicle's day can be played back; a day of several is a report of its own. */
    const pathOf = (date: string) =>
      deviceId === null ? `/reports/mileage?from=${date}&to=${date}` : `/map/${deviceId}?day=${date}`;
    const columns: Column<MileageDay>[] = [
      {
        id: "day",
        title: words.day,
        isHead: true,
        cell: ({ date }) => <Link to={pathOf(date)}>{show.day(date, "day")}</Link>,
        value: ({ date }) => Date.parse(date),
      },
      {
        id: "vehicles",
        title: words.vehiclesDriven,
        isFigure: true,
        cell: ({ vehicles }) => show.number(vehicles),
        value: ({ vehicles }) => vehicles,
      },
      {
        id: "distance",
        title: words.distance,
        isFigure: true,
        cell: ({ distanceKm }) => show.distance(distanceKm),
        value: ({ distanceKm }) => distanceKm,
        total: (rows) => show.distance(sum(rows.map(({ distanceKm }) => distanceKm))),
      },
      {
        id: "trips",
        title: words.tripCount,
        isFigure: true,
        cell: ({ trips }) => show.number(trips),
        value: ({ trips }) => trips,
        total: (rows) => show.number(sum(rows.map(({ trips }) => trips))),
      },
      {
        id: "driving",
        title: words.driving,
        isFigure: true,
        cell: ({ drivingS }) => show.duration(drivingS),
        value: ({ drivingS }) => drivingS,
        total: (rows) => show.duration(sum(rows.map(({ drivingS }) => drivingS))),
      },
      {
        id: "idle",
        title: words.idle,
        isFigure: true,
        cell: ({ idleS }) => show.duration(idleS),
        value: ({ idleS }) => idleS,
        total: (rows) => show.duration(sum(rows.map(({ idleS }) => idleS))),
      },
      {
        id: "top-speed",
        title: words.topSpeed,
        isFigure: true,
        cell: ({ maxSpeedKmh }) => speed(maxSpeedKmh),
        value: ({ maxSpeedKmh }) => maxSpeedKmh,
        total: (rows) => speed(rows.reduce<number | null>((top, row) => greater(top, row.maxSpeedKmh), null)),
      },
    ];
    return columns;
  }, [words, common, show, deviceId]);
}
