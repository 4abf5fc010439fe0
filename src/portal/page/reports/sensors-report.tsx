import { Suspense, useId, useMemo } from "react";
import type { SensorReading } from "../api/records.ts";
import { Segmented } from "../common/fields/choices.tsx";
import { EmptyState, ErrorNotice, LoadingState } from "../common/loading/notice.tsx";
import { loadable } from "../common/loading/use-load.ts";
import type { Window } from "../common/periods/days.ts";
import type { Period } from "../common/periods/period.ts";
import { sensorName } from "../common/reading/sensor-name.ts";
import { useTexts } from "../texts/use-texts.ts";
import { type Column, MomentLink } from "./columns.tsx";
import { Downloads, downloadLinks, ShownButton, saveFile } from "./downloads.tsx";
import { figureCell, measureCell } from "./file-cells.ts";
import { FuelEvents, useFuelEvents } from "./fuel-events.tsx";
import { switchClass, useView } from "./list-report.tsx";
import { type ReadingUnit, type SensorSeries, seriesOf, unitOf } from "./readings.ts";
import { ColumnTable } from "./report-table.tsx";
import { listSource } from "./row-source.ts";
import type { ReportScope } from "./scope.ts";
import { useRows } from "./use-rows.ts";
import { useWhenLoaded } from "./use-when-loaded.ts";

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
            period={scope.period}
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
  readonly period: Period;
  readonly zone: string;
}

/** What the sensors of one kind of a vehicle said: a plot, and the figures of each. */
function VehicleSensors({ name, deviceId, kind, window, period, zone }: VehicleSensorsProps) {
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
  const { inUnit, unitText, text, file } = useUnit(unit);
  const events = useFuelEvents(deviceId, kind, window);
  const columns = useSensorColumns(deviceId, { unitText, text, file }, zone);
  const makeFile = async () => {
    const { shownFile } = await import("./shown-file.ts");
    const about = [name, ...new Set([period.from, period.to])];
    const made = { title: words.sensorKinds[kind], about, columns, rows: series, totals: null };
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

function useUnit(unit: ReadingUnit) {
  const { show } = useTexts();
  return useMemo(() => {
    const units = {
      litres: {
        inUnit: (value: number) => show.volumeIn(value),
        unitText: show.volumeUnit,
        text: (value: number) => show.volume(value),
        file: (value: number) => measureCell(show.volumeIn(value)),
      },
      celsius: {
        inUnit: (value: number) => show.temperatureIn(value),
        unitText: show.temperatureUnit,
        text: (value: number) => show.temperature(value),
        file: (value: number) => figureCell(show.temperatureIn(value), 1),
      },
      percent: {
        inUnit: (value: number) => value,
        unitText: "%",
        text: (value: number) => show.percent(value, 1),
        file: (value: number) => figureCell(value, 1),
      },
    };
    return units[unit];
  }, [unit, show]);
}

type SensorUnit = Pick<ReturnType<typeof useUnit>, "unitText" | "text" | "file">;

function useSensorColumns(deviceId: string, { unitText, text, file }: SensorUnit, zone: string) {
  const { reports: words, alerts, show } = useTexts();
  const nameOf = ({ sensor }: SensorSeries) => sensorName(sensor, alerts);
  const figure = (name: "least" | "mean" | "greatest"): Column<SensorSeries> => ({
    id: name,
    title: words[name],
    unit: unitText,
    isNumeric: true,
    cell: (own) => text(own[name]),
    file: (own) => file(own[name]),
  });
  const lastOf = ({ times, values }: SensorSeries) => [text(values.at(-1) ?? 0), (times.at(-1) ?? 0) * 1000] as const;
  const columns: readonly Column<SensorSeries>[] = [
    { id: "sensor", title: words.sensor, isRowHeader: true, cell: nameOf, file: nameOf },
    figure("least"),
    figure("mean"),
    figure("greatest"),
    {
      id: "last",
      title: words.lastReading,
      cell: (series) => {
        const [value, at] = lastOf(series);
        return (
          <span>
            {value} · <MomentLink deviceId={deviceId} at={at} zone={zone} />
          </span>
        );
      },
      file: (series) => {
        const [value, at] = lastOf(series);
        return `${value} · ${show.time(at, "minute")}`;
      },
    },
  ];
  return columns;
}
