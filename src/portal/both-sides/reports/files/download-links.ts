import { type Address, to } from "../../address.ts";
import { shiftDay } from "../../periods/days.ts";
import type { Parameters } from "../row-source.ts";
import type { ReportScope } from "../scope.ts";

export interface DownloadLink {
  readonly text: string;
  readonly target: Address<"GET /download/{list}" | "GET /fleet/log/download">;
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
  return formats.map((format) => ({
    text: formatNames[format],
    target: downloadAddress(scope, list, format, parameters),
  }));
}

export function downloadAddress(
  { period, list, chosen: { vehicles, tags } }: ReportScope,
  name: string,
  format: FileFormat,
  parameters: Parameters = {},
): Address<"GET /download/{list}"> {
  const moments = list && [list.window.from, list.window.to].map((at) => new Date(at).toISOString());
  // Mileage is counted in days of the account's zone.
  const [from = "", end = ""] = name === "mileage" ? [period.from, shiftDay(period.to, 1)] : (moments ?? []);
  return to("GET /download/{list}", {
    list: name,
    format,
    ...parameters,
    from,
    to: end,
    device_id: vehicles,
    tag: tags,
  });
}
