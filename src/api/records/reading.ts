import { z } from "zod";
import type { ReadingRow, SensorKind } from "../../store/frames/readings.ts";
import { deviceFields, int32, timeValue } from "./fields.ts";
import { thousandths } from "./measures.ts";
import { frameCoordinates } from "./place-fields.ts";
import { type ApiRecord, apiRecord, field, type RecordField, type RecordFields } from "./record.ts";
import { story, thatMorning } from "./story.ts";
import { milli } from "./values.ts";

/** Examples are one of each kind, all of the same frame. */
const unmeasured: ReadingRow = {
  device: 7,
  device_id: story.deviceId,
  imei: story.imei,
  kind: "fuel",
  sensor: "",
  recorded_at: thatMorning("08:02:30"),
  received_at: thatMorning("08:02:31") + 184,
  digest: 5_081_137_923_465_127,
  latitude_e7: 525200066,
  longitude_e7: 134049540,
  level_milli_percent: null,
  volume_ml: null,
  temperature_mc: null,
  humidity_milli_percent: null,
  axle: null,
  wheel: null,
  pressure_pa: null,
};

/** A record has only the fields of its own kind. */
function readingOf(
  kind: SensorKind,
  declared: {
    readonly name: string;
    readonly description: string;
    readonly value: RecordField<ReadingRow>;
    readonly unit: RecordField<ReadingRow>;
    readonly fields: RecordFields<ReadingRow>;
    readonly example: Partial<ReadingRow> & { readonly sensor: string };
  },
) {
  const { name, description, value, unit, fields, example } = declared;
  return apiRecord<ReadingRow>({
    name,
    description,
    fields: {
      ...deviceFields,
      kind: field(z.literal(kind), "What is measured.", () => kind),
      sensor: field(z.string(), "Which of the device's sensors of that kind.", (row) => row.sensor, [example.sensor]),
      recorded_at: timeValue("When the tracker recorded the reading.", (row) => row.recorded_at),
      received_at: timeValue("When it was received.", (row) => row.received_at),
      value,
      unit,
      ...frameCoordinates,
      ...fields,
    },
    exampleRow: { ...unmeasured, kind, ...example },
  });
}

const measured = z.number().nullable();
const isVolume = (row: ReadingRow) => row.level_milli_percent === null && row.volume_ml !== null;

/** A sensor that reports less than nothing, or more than all, says nothing. */
function volumeByLevel({ level_milli_percent: level, tank_capacity_l: capacity }: ReadingRow): number | null {
  if (level === null || level < 0 || level > 100_000 || !capacity) return null;
  return Math.round((level * capacity) / 100);
}

const fuel = readingOf("fuel", {
  name: "FuelReading",
  description: "What is in a tank.",
  value: field(measured, "`level_percent`, or `volume_l` where only that is known.", (row) =>
    milli(isVolume(row) ? row.volume_ml : row.level_milli_percent),
  ),
  unit: field(z.enum(["%", "L"]), "Of `value`: `%`, or `L` where only the volume is known.", (row) =>
    isVolume(row) ? "L" : "%",
  ),
  fields: {
    level_percent: thousandths("How full the tank is.", (row) => row.level_milli_percent),
    volume_l: field(
      measured,
      "Litres in the tank, as reported; where only the level is, that share of the device's `fuel_tank_capacity_l`.",
      (row) => milli(row.volume_ml ?? volumeByLevel(row)),
    ),
  },
  example: { sensor: "tank_1", level_milli_percent: 62_500, volume_ml: 44_375 },
});

const temperature = readingOf("temperature", {
  name: "TemperatureReading",
  description: "How warm and damp it is at a sensor.",
  value: thousandths("The same as `temperature_c`.", (row) => row.temperature_mc),
  unit: field(z.literal("°C"), "Of `value`.", () => "°C" as const),
  fields: {
    temperature_c: thousandths("Degrees Celsius.", (row) => row.temperature_mc),
    humidity_percent: thousandths("Relative humidity.", (row) => row.humidity_milli_percent),
  },
  example: { sensor: "cargo", temperature_mc: 4_200, humidity_milli_percent: 71_000 },
});

const tyre = readingOf("tyre", {
  name: "TyreReading",
  description: "Pressure and warmth of a tyre.",
  value: thousandths("The same as `pressure_kpa`.", (row) => row.pressure_pa),
  unit: field(z.literal("kPa"), "Of `value`.", () => "kPa" as const),
  fields: {
    axle: field(int32.nullable(), "Counted from the front, from 1.", (row) => row.axle),
    wheel: field(int32.nullable(), "Counted from the left, from 1.", (row) => row.wheel),
    pressure_kpa: thousandths("Kilopascal; 100 kPa are 1 bar or 14.5 psi.", (row) => row.pressure_pa),
    temperature_c: thousandths("Degrees Celsius inside the tyre.", (row) => row.temperature_mc),
  },
  example: { sensor: "axle_1_wheel_2", axle: 1, wheel: 2, pressure_pa: 352_000, temperature_mc: 31_500 },
});

export const readingsByKind = { fuel, temperature, tyre };

export const reading: ApiRecord<ReadingRow> = {
  name: "SensorReading",
  schema: z.discriminatedUnion("kind", [fuel.schema, temperature.schema, tyre.schema]).meta({
    id: "SensorReading",
    description: "A reading of one sensor, as the tracker sent it. Each kind has keys of its own.",
  }),
  exampleRow: fuel.exampleRow,
  example: fuel.example,
  json: (rows) => JSON.stringify(rows.map((row) => readingsByKind[row.kind].present(row))).slice(1, -1),
};
