import { Failure } from "../../domain/errors.ts";
import { sensorKinds } from "../../domain/frame.ts";
import { type ReadingKey, type ReadingRow, readingKey, type SensorKind } from "../../store/frames/readings.ts";
import { kindPath } from "../input/path-parameters.ts";
import { sensorReadings } from "../lists/sensor-readings.ts";
import { windowedList } from "../lists/windowed-list.ts";
import { reading, readingsByKind } from "../records/reading.ts";
import type { Route } from "../route.ts";

export const listSensorReadings: Route = windowedList<ReadingRow, ReadingKey>({
  path: "/sensors/{kind}",
  operationId: "listSensorReadings",
  tag: "Sensors",
  summary: "List sensor readings",
  description:
    "Readings of one kind of sensor, in ascending time: one record per sensor and frame, as the tracker sent it.",
  scope: "sensors:read",
  record: reading,
  example: "/sensors/fuel?imei=356307042441013&from=2026-03-17T00:00:00Z&to=2026-03-18T00:00:00Z",
  parameters: [kindPath],
  // Devices of all accounts are numbered in one row.
  isKeySealed: true,
  formats: {
    // A table has only the columns of its kind. A kind that does not exist is refused before a table is made.
    schemaOf: (input) => (readingsByKind[(input?.get(kindPath) ?? "fuel") as SensorKind] ?? reading).schema,
    keys: () => ["kind", "sensor", "recorded_at"],
  },
  query: async (reader, visibility, page, _, { input }) =>
    sensorReadings(reader, visibility, { ...page, kind: kindOf(input.get(kindPath)) }),
  keyOf: readingKey,
});

function kindOf(text: string | null): SensorKind {
  const kind = sensorKinds.find((candidate) => candidate === text);
  if (!kind) throw new Failure("NOT_FOUND", `there is no such kind of sensor; there are ${sensorKinds.join(", ")}`);
  return kind;
}
