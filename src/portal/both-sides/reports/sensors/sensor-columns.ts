import { sensorName } from "../../reading/sensor-name.ts";
import type { Show } from "../../reading/show.ts";
import type { Texts } from "../../texts/texts.ts";
import type { ReportColumn } from "../columns.ts";
import { type FileFigure, figureCell, measureCell } from "../files/file-cells.ts";
import type { ReadingUnit, SensorSeries } from "./readings.ts";

/** What the sensors report can be of, in the order in which it offers them. */
export const sensorViews = ["fuel", "temperature"] as const;
export type SensorView = (typeof sensorViews)[number];

/** A plot each; more cannot be compared. */
export const maxSensorVehicles = 4;

/** How figures of a sensor are written. */
export interface SensorUnit {
  readonly inUnit: (value: number) => number;
  readonly unitText: string;
  readonly text: (value: number) => string;
  readonly file: (value: number) => FileFigure;
}

export function sensorUnit(unit: ReadingUnit, show: Show): SensorUnit {
  switch (unit) {
    case "litres":
      return {
        inUnit: (value) => show.volumeIn(value),
        unitText: show.volumeUnit,
        text: (value) => show.volume(value),
        file: (value) => measureCell(show.volumeIn(value)),
      };
    case "celsius":
      return {
        inUnit: (value) => show.temperatureIn(value),
        unitText: show.temperatureUnit,
        text: (value) => show.temperature(value),
        file: (value) => figureCell(show.temperatureIn(value), 1),
      };
    case "percent":
      return {
        inUnit: (value) => value,
        unitText: "%",
        text: (value) => show.percent(value, 1),
        file: (value) => figureCell(value, 1),
      };
  }
}

interface SensorsOf {
  readonly deviceId: string;
  readonly zone: string;
  readonly texts: Pick<Texts, "reports" | "alerts">;
  readonly show: Show;
}

/** One row for each sensor of a vehicle. */
export function sensorColumns(
  { deviceId, zone, texts: { reports: words, alerts }, show }: SensorsOf,
  { unitText, text, file }: SensorUnit,
): readonly ReportColumn<SensorSeries>[] {
  const nameOf = ({ sensor }: SensorSeries) => sensorName(sensor, alerts);
  const figure = (name: "least" | "mean" | "greatest"): ReportColumn<SensorSeries> => ({
    id: name,
    title: words[name],
    unit: unitText,
    isNumeric: true,
    cell: (own) => text(own[name]),
    file: (own) => file(own[name]),
  });
  const lastOf = ({ times, values }: SensorSeries) => [text(values.at(-1) ?? 0), (times.at(-1) ?? 0) * 1000] as const;
  return [
    { id: "sensor", title: words.sensor, isRowHeader: true, cell: nameOf, file: nameOf },
    figure("least"),
    figure("mean"),
    figure("greatest"),
    {
      id: "last",
      title: words.lastReading,
      cell: (series) => {
        const [value, at] = lastOf(series);
        return [`${value} · `, { kind: "moment", deviceId, at, zone }];
      },
      file: (series) => {
        const [value, at] = lastOf(series);
        return `${value} · ${show.time(at, "minute")}`;
      },
    },
  ];
}
