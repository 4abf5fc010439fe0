import { useMemo } from "react";
import type { Alert, Trip } from "../api/records.ts";
import { reportPath } from "../common/paths.ts";
import { Link } from "../common/route.tsx";
import { Time } from "../common/time.tsx";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import { alertSeconds, alertSource } from "./alerts-report.tsx";
import type { Column } from "./column.ts";
import { ListReport } from "./list-report.tsx";
import { type ListScope, listSource } from "./list-source.ts";
import { sum } from "./mileage-days.ts";
import { MomentLink } from "./moment-link.tsx";
import { offerOf } from "./offer.ts";
import { PlaceCell } from "./place-cell.tsx";
import type { RowSource } from "./row-source.ts";
import { type ReportScope, vehicleName } from "./scope.ts";
import { type Stop, StopFinder } from "./stops.ts";
import { useSort } from "./use-sort.ts";
import { useSwitch, ViewSwitch } from "./view-switch.tsx";

const views = ["stops", "idling"] as const;

/** Where vehicles stood between their trips, or where their engines ran at a standstill. */
export function StopsReport({ scope }: { readonly scope: ReportScope }) {
  const { reports: words } = useTexts();
  const [view, choose] = useSwitch(views);
  const chosen = (
    <ViewSwitch name="view" label={words.show} options={views} words={words.stopViews} value={view} onChange={choose} />
  );
  const note =
    view === "stops" ? (
      <p className="small quiet">{words.aboutStops}</p>
    ) : (
      <p className="small quiet">
        {words.aboutIdling}{" "}
        <Link to={reportPath("mileage", { period: scope.period, ...scope.chosen }, { sort: "-idle" })}>
          {words.idlingByVehicle}
        </Link>
      </p>
    );
  return (
    <>
      {chosen}
      {view === "stops" ? <Stops scope={scope} note={note} /> : <Idling scope={scope} note={note} />}
    </>
  );
}

interface ViewProps {
  readonly scope: ReportScope;
  readonly note: React.ReactNode;
}

/** A stop is known when the next trip begins, so they come in the order of their ends. */
const usualStops = { column: "until", isDescending: false };

function Stops({ scope, note }: ViewProps) {
  const { reports: words } = useTexts();
  const columns = useStopColumns(scope);
  const order = useSort(columns, usualStops);
  const { list } = scope;
  const open = useMemo(() => list && (() => stopSource(list)), [list]);
  return (
    <ListReport
      caption={words.stopViews.stops}
      columns={columns}
      keyOf={({ deviceId, from }) => `${deviceId} ${from}`}
      open={open}
      order={order}
      count={words.stops}
      downloads={offerOf(scope, "trips", ["csv", "geojson"]).map((file) => ({
        ...file,
        text: words.tripsAs(file.text),
      }))}
      emptyText={words.noStops}
      note={note}
    />
  );
}

function stopSource(list: ListScope): RowSource<Stop> {
  const finder = new StopFinder(list.window, Date.now());
  return listSource<Trip, Stop>(list, {
    path: "trips",
    timeOf: ({ started_at }) => started_at,
    // A trip of two windows is one of the first.
    rowsOf: (trips, { from }) =>
      finder.add(from === list.window.from ? trips : trips.filter((trip) => Date.parse(trip.started_at) >= from)),
    lastRows: () => finder.rest(),
  });
}

function useStopColumns({ devices, zone }: ReportScope): readonly Column<Stop>[] {
  const { reports: words, common } = useTexts();
  const show = useShow();
  return useMemo(() => {
    const nameOf = ({ deviceId }: Stop) => vehicleName(devices, deviceId, common.unknown);
    const seconds = ({ from, to }: Stop) => (to - from) / 1000;
    const columns: Column<Stop>[] = [
      {
        id: "since",
        title: words.since,
        isHead: true,
        cell: ({ deviceId, from, isFromBefore }) => (
          <>
            <MomentLink deviceId={deviceId} at={from} zone={zone} />
            {isFromBefore && <span className="quiet"> {words.orEarlier}</span>}
          </>
        ),
        value: ({ from }) => from,
      },
      {
        id: "until",
        title: words.until,
        cell: ({ to, goesOn }) => (goesOn ? words.goesOn : <Time at={to} />),
        value: ({ to }) => to,
      },
      { id: "vehicle", title: common.vehicle, cell: nameOf, value: nameOf },
      { id: "place", title: words.place, cell: ({ place }) => <PlaceCell place={place} /> },
      {
        id: "duration",
        title: words.duration,
        isFigure: true,
        cell: (stop) => show.duration(seconds(stop)),
        value: seconds,
        total: (rows) => show.duration(sum(rows.map(seconds))),
      },
    ];
    return columns;
  }, [words, common, show, devices, zone]);
}

const usualIdling = { column: "since", isDescending: false };
const idlingOnly = { alert_type: "idling" };

function Idling({ scope, note }: ViewProps) {
  const { reports: words } = useTexts();
  const columns = useIdlingColumns(scope);
  const order = useSort(columns, usualIdling);
  const { list } = scope;
  const open = useMemo(() => list && (() => alertSource(list, idlingOnly)), [list]);
  return (
    <ListReport
      caption={words.stopViews.idling}
      columns={columns}
      keyOf={({ alert_id }) => alert_id}
      open={open}
      order={order}
      count={words.times}
      downloads={offerOf(scope, "alerts", ["csv", "geojson"], idlingOnly)}
      emptyText={words.noIdling}
      note={note}
    />
  );
}

function useIdlingColumns({ devices, zone }: ReportScope): readonly Column<Alert>[] {
  const { reports: words, common } = useTexts();
  const show = useShow();
  return useMemo(() => {
    const nameOf = ({ device_id, imei }: Alert) => vehicleName(devices, device_id, imei);
    const columns: Column<Alert>[] = [
      {
        id: "since",
        title: words.since,
        isHead: true,
        cell: ({ device_id, occurred_at }) => <MomentLink deviceId={device_id} at={occurred_at} zone={zone} />,
        value: ({ occurred_at }) => Date.parse(occurred_at),
      },
      {
        id: "until",
        title: words.until,
        cell: ({ ended_at }) => (ended_at === null ? words.goesOn : <Time at={ended_at} />),
        value: ({ ended_at }) => (ended_at === null ? null : Date.parse(ended_at)),
      },
      { id: "vehicle", title: common.vehicle, cell: nameOf, value: nameOf },
      {
        id: "place",
        title: words.place,
        cell: ({ latitude, longitude }) => (
          <PlaceCell place={latitude === null || longitude === null ? null : { latitude, longitude }} />
        ),
      },
      {
        id: "duration",
        title: words.duration,
        isFigure: true,
        cell: (alert) => durationText(alertSeconds(alert)),
        value: alertSeconds,
        total: (rows) => show.duration(sum(rows.map((alert) => alertSeconds(alert) ?? 0))),
      },
    ];
    return columns;

    function durationText(seconds: number | null): string {
      return seconds === null ? common.unknown : show.duration(seconds);
    }
  }, [words, common, show, devices, zone]);
}
