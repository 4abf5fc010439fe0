import { Suspense, useCallback, useId, useMemo } from "react";
import { alertSentence, typeWords } from "../../../both-sides/alerts/alert-words.ts";
import type { Alert } from "../../../both-sides/contract/data.ts";
import type { DayWindow } from "../../../both-sides/periods/days.ts";
import type { Period } from "../../../both-sides/periods/period.ts";
import { downloadLinks } from "../../../both-sides/reports/files/download-links.ts";
import { listSource, maxWindowMs, piecesOf } from "../../../both-sides/reports/row-source.ts";
import { seriesOf, unitOf } from "../../../both-sides/reports/sensors/readings.ts";
import {
  maxSensorVehicles,
  type SensorView,
  sensorColumns,
  sensorUnit,
  sensorViews,
} from "../../../both-sides/reports/sensors/sensor-columns.ts";
import { collect } from "../../api/pages.ts";
import { getJson } from "../../api/request.ts";
import { Segmented } from "../../common/fields/choices.tsx";
import { EmptyState, ErrorNotice, LoadingState } from "../../common/loading/notice.tsx";
import { loadable, useLoad } from "../../common/loading/use-load.ts";
import { useTexts } from "../../texts/use-texts.ts";
import { MomentLink } from "../draw-cell.tsx";
import { Downloads, ShownButton, saveFile } from "../files/downloads.tsx";
import { type ReportProps, switchClass, useView } from "../list-report.tsx";
import { ColumnTable } from "../report-table.tsx";
import { daysWords } from "../scope-words.ts";
import { useReportRows } from "../use-rows.ts";
import { useWhenLoaded } from "../use-when-loaded.ts";

export function SensorsReport({ scope, about }: ReportProps) {
  const texts = useTexts();
  const { reports: words } = texts;
  const [kind, choose] = useView(sensorViews);
  const { chosen, list, devices } = scope;
  const ids = [...(chosen.ids ?? [])];
  const isReady = list !== null && ids.length > 0 && ids.length <= maxSensorVehicles;
  return (
    <>
      <div className="report-bar flex wrap apart">
        {about}
        <Segmented
          name="view"
          className={switchClass}
          label={words.show}
          options={sensorViews}
          words={words.sensorKinds}
          value={kind}
          onChange={choose}
        />
        {isReady && (
          <Downloads
            links={downloadLinks(scope, "readings", ["csv"], { kind })}
            onPrint={() => window.print()}
            isPrinting={false}
          />
        )}
      </div>
      {isReady ? (
        ids.map((deviceId) => (
          <VehicleSensors
            key={deviceId}
            name={devices?.get(deviceId)?.name ?? ""}
            deviceId={deviceId}
            kind={kind}
            window={list.window}
            period={scope.period}
            zone={scope.zone}
            about={daysWords(scope, texts)}
          />
        ))
      ) : (
        <EmptyState icon="report" title={words.chooseVehicle}>
          {words.upToVehicles(maxSensorVehicles)}
        </EmptyState>
      )}
      {isReady && <p className="hint report-files">{words.metricAndUtc}</p>}
    </>
  );
}

const SensorPlot = loadable(() => import("./sensor-plot.tsx"));

interface VehicleSensorsProps {
  readonly name: string;
  readonly deviceId: string;
  readonly kind: SensorView;
  readonly window: DayWindow;
  readonly period: Period;
  readonly zone: string;
  /** The days in words. */
  readonly about: string;
}

/** What the sensors of one kind of a vehicle said: a plot, and the figures of each. */
function VehicleSensors({ name, deviceId, kind, window, period, zone, about }: VehicleSensorsProps) {
  const texts = useTexts();
  const { reports: words, show } = texts;
  const id = useId();
  const open = useMemo(
    () => () =>
      listSource(
        { get: getJson, window, deviceId, ids: null },
        {
          name: "sensors/{kind}",
          parameters: { kind },
          timeOf: ({ recorded_at }) => recorded_at,
          rowsOf: (readings) => readings,
        },
      ),
    [deviceId, kind, window],
  );
  const loaded = useReportRows(open, Number.POSITIVE_INFINITY);
  const { rows, count, isEnd, isCut, isLoading, share, error, retry } = loaded;
  const isDone = isEnd || isCut;
  const unit = useMemo(() => unitOf(rows), [rows]);
  // A plot of part of the readings would look like all of them.
  const series = useMemo(() => (isDone ? seriesOf(rows, unit) : []), [rows, unit, isDone]);
  const written = useMemo(() => sensorUnit(unit, show), [unit, show]);
  const { inUnit, unitText, text } = written;
  const events = useFuelEvents(deviceId, kind, window);
  const columns = sensorColumns({ deviceId, zone, texts, show }, written);
  const makeFile = async () => {
    const { shownFile } = await import("../files/shown-file.ts");
    const named = [name, ...new Set([period.from, period.to])];
    const made = {
      title: words.sensorKinds[kind],
      about: named,
      above: [about, name],
      columns,
      rows: series,
      totals: null,
    };
    saveFile(await shownFile({ ...made, nameOf: async () => "" }));
  };
  const asShown = useWhenLoaded(isDone, () => {}, makeFile, error);
  return (
    <section className="card report-card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{name}</h2>
        {isDone && <p className="quiet">{words.readings(rows.length, show.number(rows.length))}</p>}
        {series.length > 0 && <ShownButton task={asShown} />}
      </div>
      {error !== null && <ErrorNotice error={error} retry={retry} />}
      {isLoading && !isDone && (
        <label className="report-status">
          <span>{words.loadingAll(words.readings(count, show.number(count)))}</span>
          <progress value={share} />
        </label>
      )}
      {isCut && <p>{words.tooMany(show.number(rows.length))}</p>}
      {isDone && series.length === 0 && <p className="quiet">{words.noReadings}</p>}
      {series.length > 0 && (
        <>
          <Suspense fallback={<LoadingState />}>
            <SensorPlot
              label={words.plotOf(words.sensorKinds[kind], name)}
              series={series}
              inUnit={inUnit}
              unit={unitText}
              text={text}
              events={events}
            />
          </Suspense>
          <ColumnTable caption={name} columns={columns} rows={series} keyOf={({ sensor }) => sensor} />
          {kind === "fuel" && <FuelEvents events={events} zone={zone} />}
        </>
      )}
    </section>
  );
}

/** More than a page can list; each is an event of minutes. */
const maxEvents = 500;
const types = ["fuel_refill", "fuel_drain"] as const;

/** When a vehicle was refuelled or lost fuel, in the order of time; empty until it is known, and for other sensors. */
function useFuelEvents(deviceId: string, kind: "fuel" | "temperature", window: DayWindow): readonly Alert[] {
  const load = useCallback(
    async (signal: AbortSignal): Promise<readonly Alert[]> => {
      if (kind !== "fuel") return [];
      const found: Alert[] = [];
      for (const { from, to } of piecesOf(window, maxWindowMs)) {
        const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
        for (const alert_type of types) {
          const { rows } = await collect("alerts", { device_id: deviceId, alert_type, ...period }, maxEvents, signal);
          found.push(...rows);
        }
      }
      return found.sort((one, other) => Date.parse(one.occurred_at) - Date.parse(other.occurred_at));
    },
    [deviceId, kind, window],
  );
  return useLoad(load).loaded.data ?? [];
}

interface FuelEventsProps {
  readonly events: readonly Alert[];
  readonly zone: string;
}

/** Each leads to its moment in playback. */
function FuelEvents({ events, zone }: FuelEventsProps) {
  const { reports: words, alerts, show } = useTexts();
  return (
    <div className="fuel-events">
      <h3>{words.refillsAndDrains}</h3>
      {events.length === 0 ? (
        <p className="quiet">{words.noFuelEvents}</p>
      ) : (
        <ul>
          {events.map((alert) => (
            <li key={alert.alert_id} className={alert.alert_type === "fuel_drain" ? "fuel-drain" : "fuel-refill"}>
              <MomentLink deviceId={alert.device_id} at={alert.occurred_at} zone={zone} />{" "}
              {alertSentence(alert, alerts, show) ?? typeWords(alert.alert_type, alerts)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
