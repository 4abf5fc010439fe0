import { z } from "zod";
import { dateOfDay } from "../../domain/time/time.ts";
import type { MileageSums } from "../../store/facts/mileage-sums.ts";
import { count, date, imeiText, uuidText } from "./fields.ts";
import { kilometresField, seconds, thousandths } from "./measures.ts";
import { mileageDay } from "./mileage.ts";
import { apiRecord, field, type RecordFields } from "./record.ts";
import { story } from "./story.ts";

export interface MileagePeriodRow extends MileageSums {
  readonly from_day: number;
  readonly until_day: number;
  readonly time_zone: string;
  /** Only of sums by device. */
  readonly device: {
    readonly id: string;
    readonly imei: string;
    readonly name: string;
    readonly plate: string | null;
  } | null;
  readonly tag: string | null;
}

export const mileagePeriodFields = {
  period_start: field(date, "The first day of the period that is in the window.", (row) => dateOfDay(row.from_day)),
  period_end: field(date, "The day after the last one that is in the window.", (row) => dateOfDay(row.until_day)),
  time_zone: field(z.string(), "The IANA time zone of the days: the account's.", (row) => row.time_zone),
  device_id: field(uuidText.nullable(), "The device's id; null unless by device.", (row) => row.device?.id ?? null),
  imei: field(imeiText.nullable(), "The tracker's IMEI; null unless by device.", (row) => row.device?.imei ?? null),
  name: field(z.string().nullable(), "The device's name, as it is now; null unless by device.", nameOf),
  plate: field(z.string().nullable(), "The number plate, as it is now; null unless by device.", plateOf),
  tag: field(
    z.string().nullable(),
    "The tag that the devices have now; null unless by tag, and for devices without any. A device with two tags counts in each.",
    (row) => row.tag,
  ),
  device_count: field(count, "Devices that have a row of mileage in the period.", (row) => row.device_count),
  distance_km: kilometresField("Kilometres driven.", (row) => row.distance_mm),
  trip_count: field(count, "Trips.", (row) => row.trip_count),
  driving_s: seconds("Seconds under way.", (row) => row.driving_ms),
  idle_s: seconds("Seconds at rest with the engine on.", (row) => row.idle_ms),
  max_speed_kmh: thousandths("The highest speed believed, in kilometres per hour.", (row) => row.max_speed_m_per_h),
  gap_distance_km: kilometresField(
    "Of the distance, kilometres over which trackers were silent.",
    (row) => row.gap_distance_mm,
  ),
} satisfies RecordFields<MileagePeriodRow>;

/** Rows of `/reports/mileage` as whoever asks as before 2.0 gets them: no description has them. */
export const mileagePeriod = apiRecord<MileagePeriodRow>({
  name: "MileagePeriod",
  description: "What one device, the devices with a tag, or all devices drove in a period.",
  fields: mileagePeriodFields,
  exampleRow: {
    from_day: mileageDay.exampleRow.day,
    until_day: mileageDay.exampleRow.day + 1,
    time_zone: "UTC",
    device: { id: story.deviceId, imei: story.imei, name: story.name, plate: story.plate },
    tag: null,
    device_count: 1,
    distance_mm: mileageDay.exampleRow.distance_mm,
    trip_count: mileageDay.exampleRow.trip_count,
    driving_ms: mileageDay.exampleRow.driving_ms,
    idle_ms: mileageDay.exampleRow.idle_ms,
    max_speed_m_per_h: mileageDay.exampleRow.max_speed_m_per_h,
    gap_distance_mm: mileageDay.exampleRow.gap_distance_mm,
    carried_mm: mileageDay.exampleRow.carried_mm,
  },
});

function nameOf({ device }: MileagePeriodRow): string | null {
  return device?.name ?? null;
}

function plateOf({ device }: MileagePeriodRow): string | null {
  return device?.plate ?? null;
}
