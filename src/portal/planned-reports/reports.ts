import { alertsReport } from "../page/reports/alerts-report.ts";
import { crossingsReport, idlingReport, stopsReport } from "../page/reports/list-reports.ts";
import { mileageByDay, mileageByVehicle } from "../page/reports/mileage-report.ts";
import { sensorViews } from "../page/reports/sensor-columns.ts";
import { tripsByDriver, tripsReport } from "../page/reports/trips-report.ts";
import type { Texts } from "../page/texts/texts.ts";
import { type TableMaker, tableMaker } from "./make-table.ts";

export type ReportKind = keyof Texts["reports"]["kinds"];

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

/** What a report is called with its view, as on its page. */
export function reportTitle(kind: ReportKind, view: string | null, { reports }: Pick<Texts, "reports">): string {
  const views: Readonly<Record<string, string>> = {
    ...reports.tripViews,
    ...reports.mileageViews,
    ...reports.stopViews,
    ...reports.sensorKinds,
  };
  const [first] = viewsOf(kind);
  const shown = view ?? (kind === "sensors" ? (first ?? null) : null);
  const name = shown === null ? undefined : views[shown];
  return name === undefined ? reports.kinds[kind] : `${reports.kinds[kind]}: ${name}`;
}
