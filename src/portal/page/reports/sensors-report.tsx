import { Suspense, useId, useMemo } from "react";
import type { SensorReading } from "../api/records.ts";
import { Segmented } from "../common/fields/choices.tsx";
import { EmptyState, ErrorNotice, LoadingState } from "../common/loading/notice.tsx";
import { loadable } from "../common/loading/use-load.ts";
import type { Window } from "../common/periods/days.ts";
import { sensorName } from "../common/reading/sensor-name.ts";
import { useTexts } from "../texts/use-texts.ts";
import { type Column, MomentLink } from "./columns.tsx";
import { Downloads, downloadLinks } from "./downloads.tsx";
import { FuelEvents, useFuelEvents } from "./fuel-events.tsx";
import { switchClass, useView } from "./list-report.tsx";
import { type ReadingUnit, type SensorSeries, seriesOf, unitOf } from "./readings.ts";
import { ColumnTable } from "./report-table.tsx";
import { listSource } from "./row-source.ts";
import type { ReportScope } from "./scope.ts";
import { useRows } from "./use-rows.ts";

const kinds = ["fuel", "temperature"] as const;

/** A plot each; more cannot be compared. */
const maxVehicles = 4;

export function SensorsReport({ scope }: { readonly scope: ReportScope }) {
  const { reports: words } = useTexts();
  const [kind, choose] = useView(kinds);
  const { chosen, list, devices } = scope;
  const ids = [...(chosen.ids ?? [])];
  const isReady = list !== null && ids.length > 0 && ids.length <= maxVehicles;
  return (
    <>
      <div className="report-bar">
        <Segmented
          name="view"
          className={switchClass}
          label={words.show}
          options={kinds}
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
            zone={scope.zone}
          />
        ))
      ) : (
        <EmptyState icon="report" title={words.chooseVehicle}>
          <p>{words.upToVehicles(maxVehicles)}</p>
        </EmptyState>
      )}
    </>
  );
}

const SensorPlot = loadable(() => import("./sensor-plot.tsx"));

interface VehicleSensorsProps {
  readonly name: string;
  readonly deviceId: string;
  readonly kind: "fuel" | "temperature";
  readonly window: Window;
  readonly zone: string;
}

/** What the sensors of one kind of a vehicle said: a plot, and the figures of each. */
function VehicleSensors({ name, deviceId, kind, window, zone }: VehicleSensorsProps) {
  const { reports: words, show } = useTexts();
  const id = useId();
  const open = useMemo(
    () => () =>
      listSource<SensorReading, SensorReading>(
        { window, deviceId, ids: null },
        { path: `sensors/${kind}`, timeOf: ({ recorded_at }) => recorded_at, rowsOf: (readings) => readings },
      ),
    [deviceId, kind, window],
  );
  const loaded = useRows(open, Number.POSITIVE_INFINITY);
  const { rows, count, isEnd, isCut, isLoading, share, error, retry } = loaded;
  const isDone = isEnd || isCut;
  const unit = useMemo(() => unitOf(rows), [rows]);
  // A plot of part of the readings would look like all of them.
  const series = useMemo(() => (isDone ? seriesOf(rows, unit) : []), [rows, unit, isDone]);
  const { inUnit, unitText, text } = useUnit(unit);
  const events = useFuelEvents(deviceId, kind, window);
  return (
    <section className="card report-card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{name}</h2>
        {isDone && <p className="quiet">{words.readings(rows.length, show.number(rows.length))}</p>}
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
          <SensorTable series={series} deviceId={deviceId} text={text} zone={zone} caption={name} />
          {kind === "fuel" && <FuelEvents events={events} zone={zone} />}
        </>
      )}
    </section>
  );
}

function useUnit(unit: ReadingUnit) {
  const { show } = useTexts();
  return useMemo(() => {
    const units = {
      litres: {
        inUnit: (value: number) => show.volumeIn(value),
        unitText: show.volumeUnit,
        text: (value: number) => show.volume(value),
      },
      celsius: {
        inUnit: (value: number) => show.temperatureIn(value),
        unitText: show.temperatureUnit,
        text: (value: number) => show.temperature(value),
      },
      percent: { inUnit: (value: number) => value, unitText: "%", text: (value: number) => show.percent(value, 1) },
    };
    return units[unit];
  }, [unit, show]);
}

interface SensorTableProps {
  readonly series: readonly SensorSeries[];
  readonly deviceId: string;
  readonly text: (value: number) => string;
  readonly zone: string;
  readonly caption: string;
}

function SensorTable({ series, deviceId, text, zone, caption }: SensorTableProps) {
  const { reports: words, alerts } = useTexts();
  const figure = (name: "least" | "mean" | "greatest"): Column<SensorSeries> => {
    return { id: name, title: words[name], isNumeric: true, cell: (own) => text(own[name]) };
  };
  const columns: readonly Column<SensorSeries>[] = [
    { id: "sensor", title: words.sensor, isRowHeader: true, cell: ({ sensor }) => sensorName(sensor, alerts) },
    figure("least"),
    figure("mean"),
    figure("greatest"),
    {
      id: "last",
      title: words.lastReading,
      cell: ({ times, values }) => (
        <span>
          {text(values.at(-1) ?? 0)} · <MomentLink deviceId={deviceId} at={(times.at(-1) ?? 0) * 1000} zone={zone} />
        </span>
      ),
    },
  ];
  return <ColumnTable caption={caption} columns={columns} rows={series} keyOf={({ sensor }) => sensor} />;
}
