import type { Texts } from "../texts/texts.ts";

/** The name of a report in the address. */
export type ReportKind = keyof Texts["reports"]["kinds"];

/** What a report is called with its view; null: the first, which is only named where the report says nothing without it. Pure. */
export function reportTitle(kind: ReportKind, view: string | null, { reports }: Pick<Texts, "reports">): string {
  const views: Readonly<Record<string, string>> = {
    ...reports.tripViews,
    ...reports.mileageViews,
    ...reports.stopViews,
    ...reports.sensorKinds,
  };
  const shown = view ?? (kind === "sensors" ? "fuel" : "");
  const name = views[shown];
  return name === undefined ? reports.kinds[kind] : `${reports.kinds[kind]}: ${name}`;
}
