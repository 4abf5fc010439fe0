import { z } from "zod";
import type { ReadingRow, SensorKind } from "../../store/readings.ts";
import { deviceFields, frameCoordinates, instant, int32 } from "./fields.ts";
import { presentReading } from "./reading.ts";
import { story, thatMorning } from "./story.ts";

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

/** One of each kind, all of the same frame. */
export const exampleReadingRows: Readonly<Record<SensorKind, ReadingRow>> = {
  fuel: { ...unmeasured, kind: "fuel", sensor: "tank_1", level_milli_percent: 62_500, volume_ml: 44_375 },
  temperature: {
    ...unmeasured,
    kind: "temperature",
    sensor: "cargo",
    temperature_mc: 4_200,
    humidity_milli_percent: 71_000,
  },
  tyre: {
    ...unmeasured,
    kind: "tyre",
    sensor: "axle_1_wheel_2",
    axle: 1,
    wheel: 2,
    pressure_pa: 352_000,
    temperature_mc: 31_500,
  },
};
const record = (kind: SensorKind): unknown => JSON.parse(presentReading(exampleReadingRows[kind]));
export const exampleReadingRecords: Readonly<Record<SensorKind, unknown>> = {
  fuel: record("fuel"),
  temperature: record("temperature"),
  tyre: record("tyre"),
};

const measured = z.number().nullable();

function fieldsOf<Kind extends SensorKind, Unit extends z.ZodType>(kind: Kind, value: string, unit: Unit) {
  return {
    ...deviceFields,
    kind: z.literal(kind).describe("What is measured."),
    sensor: z.string().meta({
      description: "Which of the device's sensors of that kind.",
      examples: [exampleReadingRows[kind].sensor],
    }),
    recorded_at: instant.describe("When the tracker recorded the reading."),
    received_at: instant.describe("When it was received."),
    value: measured.describe(value),
    unit,
    ...frameCoordinates,
  };
}

const fuelReading = z
  .strictObject({
    ...fieldsOf(
      "fuel",
      "`level_percent`, or `volume_l` where only that is known.",
      z.enum(["%", "L"]).describe("Of `value`: `%`, or `L` where only the volume is known."),
    ),
    level_percent: measured.describe("How full the tank is."),
    volume_l: measured.describe("Litres in the tank."),
  })
  .meta({ id: "FuelReading", description: "What is in a tank.", examples: [exampleReadingRecords.fuel] });

const temperatureReading = z
  .strictObject({
    ...fieldsOf("temperature", "The same as `temperature_c`.", z.literal("°C").describe("Of `value`.")),
    temperature_c: measured.describe("Degrees Celsius."),
    humidity_percent: measured.describe("Relative humidity."),
  })
  .meta({
    id: "TemperatureReading",
    description: "How warm and damp it is at a sensor.",
    examples: [exampleReadingRecords.temperature],
  });

const tyreReading = z
  .strictObject({
    ...fieldsOf("tyre", "The same as `pressure_kpa`.", z.literal("kPa").describe("Of `value`.")),
    axle: int32.nullable().describe("Counted from the front, from 1."),
    wheel: int32.nullable().describe("Counted from the left, from 1."),
    pressure_kpa: measured.describe("Kilopascal; 100 kPa are 1 bar or 14.5 psi."),
    temperature_c: measured.describe("Degrees Celsius inside the tyre."),
  })
  .meta({ id: "TyreReading", description: "Pressure and warmth of a tyre.", examples: [exampleReadingRecords.tyre] });

export const readingSchema = z.discriminatedUnion("kind", [fuelReading, temperatureReading, tyreReading]).meta({
  id: "SensorReading",
  description: "A reading of one sensor, kept as the tracker sent it. Each kind has keys of its own.",
});
