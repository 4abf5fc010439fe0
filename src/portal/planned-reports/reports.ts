import { alertsReport } from "../page/reports/alerts-report.ts";
import { crossingsReport, idlingReport, stopsReport } from "../page/reports/list-reports.ts";
import { mileageByDay, mileageByVehicle } from "../page/reports/mileage-report.ts";
import type { ReportKind } from "../page/reports/report-title.ts";
import { sensorViews } from "../page/reports/sensors/sensor-columns.ts";
import { tripsByDriver, tripsReport } from "../page/reports/trips-report.ts";
import { type TableMaker, tableMaker } from "./make-table.ts";

/** How the tables of each report are made, by its views as the page's address names them. Those of sensors: sensor-tables.ts. */
export const makers: Readonly<Record<Exclude<ReportKind, "sensors">, Readonly<Record<string, TableMaker>>>> = {
  trips: { trips: tableMaker(tripsReport), drivers: tableMaker(tripsByDriver) },
  mileage: { vehicles: tableMaker(mileageByVehicle), days: tableMaker(mileageByDay) },
  stops: { stops: tableMaker(stopsReport), idling: tableMaker(idlingReport) },
  crossings: { crossings: tableMaker(crossingsReport) },
  alerts: { alerts: tableMaker(alertsReport) },
};

export const reportKinds = [...Object.keys(makers), "sensors"] as readonly ReportKind[];

/** The first is shown where none is named. */
export function viewsOf(kind: ReportKind): readonly string[] {
  return kind === "sensors" ? sensorViews : Object.keys(makers[kind]);
}
