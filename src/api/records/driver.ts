import { z } from "zod";
import type { SeenDriver } from "../../store/fleet/seen-drivers.ts";
import { timeOrNull, uuidText } from "./fields.ts";
import { apiRecord, field } from "./record.ts";
import { story, thatMorning } from "./story.ts";

export const driver = apiRecord<SeenDriver>({
  name: "Driver",
  description: "A person whom the account named, or a driver's tag or card that nobody has named.",
  fields: {
    id: field(uuidText.nullable(), "The person's id; null for a tag that nobody has named.", (row) => row.id),
    name: field(
      z.string().nullable(),
      "What the owner of the account calls them; null for a tag that nobody has named.",
      (row) => row.name,
    ),
    driver_ids: field(
      z.array(z.string()),
      "The ids of their tags and cards, as trackers send them: what `driver_id` is elsewhere. In ascending order.",
      (row) => [...row.driver_ids],
    ),
    last_seen_at: timeOrNull(
      "Until when they were last seen, by the trips and the live positions of vehicles in sight; null: never.",
      (row) => row.last_seen_at,
    ),
    last_device_id: field(
      uuidText.nullable(),
      "The vehicle in which that was; null if they were never seen.",
      (row) => row.last_device_id,
    ),
  },
  exampleRow: {
    id: story.personId,
    name: story.driverName,
    driver_ids: [story.driverId],
    last_seen_at: thatMorning("08:19:40"),
    last_device_id: story.deviceId,
  },
});
