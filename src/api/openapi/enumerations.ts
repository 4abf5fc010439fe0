import { severities } from "../../domain/alert-types.ts";
import { deviceStatuses } from "../../domain/fleet.ts";
import { sensorKinds } from "../../domain/frame.ts";
import { fenceShapes } from "../../domain/geometry/fence-shape.ts";
import type { FormatName } from "../formats/format.ts";
import type { Schema } from "./types.ts";

/** Named, a set of values is one type in a generated client; unnamed, one for every place that has it. */
const enumerations: readonly { readonly name: string; readonly values: readonly string[]; readonly what: string }[] = [
  { name: "DeviceStatus", values: deviceStatuses, what: "What the fleet's owner says of a device." },
  { name: "Severity", values: severities, what: "How bad it is." },
  { name: "SensorKind", values: sensorKinds, what: "What a sensor measures." },
  { name: "ChangeKind", values: ["put", "removed"], what: "What has become of a record." },
  { name: "GeofenceShape", values: fenceShapes, what: "The shape of a geofence." },
  {
    name: "TripEndReason",
    values: ["ignition_off", "stationary", "gap", "discontinuity"],
    what: "What ended a trip.",
  },
  { name: "TableFormat", values: formatsWith(), what: "What a list without places can be written in." },
  { name: "MapFormat", values: formatsWith("geojson"), what: "What a list of places can be written in." },
  { name: "TrackFormat", values: formatsWith("geojson", "gpx"), what: "What a list of ways can be written in." },
];

function formatsWith(...others: readonly FormatName[]): readonly FormatName[] {
  return ["json", "csv", "ndjson", ...others];
}

export function enumerationOf({ enum: values }: Schema): { readonly name: string; readonly schema: Schema } | null {
  const found = values && enumerations.find((candidate) => Bun.deepEquals(candidate.values, values));
  if (!found) return null;
  return { name: found.name, schema: { type: "string", enum: found.values, description: found.what } };
}
