import { alertsReport } from "../both-sides/reports/alerts-report.ts";
import { crossingsReport, idlingReport, stopsReport } from "../both-sides/reports/list-reports.ts";
import { mileageByDay, mileageByVehicle } from "../both-sides/reports/mileage-report.ts";
import type { ReportKind } from "../both-sides/reports/report-title.ts";
import { sensorViews } from "../both-sides/reports/sensors/sensor-columns.ts";
import { tripsByDriver, tripsReport } from "../both-sides/reports/trips-report.ts";
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
