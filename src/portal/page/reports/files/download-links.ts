import { shiftDay } from "../../common/periods/days.ts";
import type { Parameters } from "../row-source.ts";
import type { ReportScope } from "../scope.ts";

export interface DownloadLink {
  readonly text: string;
  /** Relative to /portal/api. */
  readonly path: string;
}

type FileFormat = "csv" | "geojson" | "gpx";

const formatNames: Readonly<Record<FileFormat, string>> = { csv: "CSV", geojson: "GeoJSON", gpx: "GPX" };

/** The files of a list, of the report's days and vehicles; none until it is known which vehicles are meant. */
export function downloadLinks(
  scope: ReportScope,
  list: string,
  formats: readonly FileFormat[],
  parameters: Parameters = {},
): readonly DownloadLink[] {
  if (scope.list === null) return [];
  return formats.map((format) => ({ text: formatNames[format], path: downloadPath(scope, list, format, parameters) }));
}

export function downloadPath(
  { period, list, chosen: { vehicles, tags } }: ReportScope,
  name: string,
  format: FileFormat,
  parameters: Parameters = {},
): string {
  const query = new URLSearchParams({ format, ...parameters });
  const moments = list && [list.window.from, list.window.to].map((at) => new Date(at).toISOString());
  // Mileage is counted in days of the account's zone.
  const [from = "", to = ""] = name === "mileage" ? [period.from, shiftDay(period.to, 1)] : (moments ?? []);
  query.set("from", from);
  query.set("to", to);
  for (const id of vehicles) query.append("device_id", id);
  for (const tag of tags) query.append("tag", tag);
  return `/download/${name}?${query}`;
}
