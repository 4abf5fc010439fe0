import { listSource } from "../both-sides/reports/row-source.ts";
import { seriesOf, unitOf } from "../both-sides/reports/sensors/readings.ts";
import {
  maxSensorVehicles,
  sensorColumns,
  sensorUnit,
  sensorViews,
} from "../both-sides/reports/sensors/sensor-columns.ts";
import { type MadeTable, type ReportRequest, readRows, tableOf } from "./make-table.ts";

/** As many as the page reads. */
const maxReadings = 100_000;

/** A table for each vehicle, with a row for each sensor. */
export async function sensorTables(request: ReportRequest): Promise<MadeTable[]> {
  const { scope, filters, reader } = request;
  const { texts, show } = reader;
  const kind = sensorViews.find((view) => view === filters.view) ?? sensorViews[0];
  const ids = [...(scope.list.ids ?? [])].slice(0, maxSensorVehicles);
  const tables: MadeTable[] = [];
  for (const deviceId of ids) {
    const source = listSource(
      { ...scope.list, deviceId, ids: null },
      {
        name: "sensors/{kind}",
        parameters: { kind },
        timeOf: ({ recorded_at }) => recorded_at,
        rowsOf: (readings) => readings,
      },
    );
    const readings = await readRows(source, request, maxReadings);
    const unit = unitOf(readings);
    const columns = sensorColumns({ deviceId, zone: scope.zone, texts, show }, sensorUnit(unit, show));
    tables.push({
      title: scope.devices?.get(deviceId)?.name ?? null,
      counted: texts.reports.readings(readings.length, show.number(readings.length)),
      empty: texts.reports.noReadings,
      isCut: !source.isEnd,
      ...(await tableOf(columns, seriesOf(readings, unit), null, request)),
    });
  }
  return tables;
}
