import { z } from "zod";
import { field, type RecordFields } from "./record.ts";
import { story } from "./story.ts";

/** Who drove, of a frame or a trip. */
export const driverFields: RecordFields<{ readonly driver_id: string | null; readonly driver_name: string | null }> = {
  driver_id: field(
    z.string().nullable(),
    "What the driver's tag or card said, such as an iButton; of a trip, the first that was sent. Null if none was.",
    (row) => row.driver_id,
    [story.driverId, null],
  ),
  driver_name: field(
    z.string().nullable(),
    "What the owner of the account calls this driver now; null if no driver is named.",
    (row) => row.driver_name,
    [story.driverName, null],
  ),
};
