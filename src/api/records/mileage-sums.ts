import { z } from "zod";
import { kilometresOrNull } from "./measures.ts";
import { type MileagePeriodRow, mileagePeriod, mileagePeriodFields } from "./mileage-period.ts";
import { apiRecord, field } from "./record.ts";

export interface MileageSumsRow extends MileagePeriodRow {
  /** Only of sums by driver. */
  readonly driver_id: string | null;
  readonly driver_name: string | null;
}

const { period_start, period_end, time_zone, device_id, imei, name, plate, tag, ...sums } = mileagePeriodFields;

export const summedMileage = apiRecord<MileageSumsRow>({
  name: "MileageSums",
  description:
    "What one device, the devices with a tag, one driver, or all devices drove in a period. A period without a row of mileage has none " +
    "here.",
  fields: {
    ...{ period_start, period_end, time_zone, device_id, imei, name, plate, tag },
    driver_id: field(
      z.string().nullable(),
      "The id of the driver's tag or card; null unless by driver, and for what was driven without one.",
      (row) => row.driver_id,
    ),
    driver_name: field(
      z.string().nullable(),
      "What the owner of the account calls this driver now; null if no driver is named.",
      (row) => row.driver_name,
    ),
    ...sums,
    carried_km: kilometresOrNull(
      "Kilometres that vehicles were moved without being driven: towed or on a ferry, say. No part of `distance_km`, and no " +
        "driver's. Null if a day of these is one that a version before 2.0 derived from frames that are gone.",
      (row) => row.carried_mm,
    ),
  },
  exampleRow: {
    ...mileagePeriod.exampleRow,
    driver_id: null,
    driver_name: null,
  },
});
