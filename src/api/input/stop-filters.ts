import { type Parameter, query, uuidParameter } from "./parameter.ts";

export const geofenceId = uuidParameter(
  "geofence_id",
  "Only stops in this geofence. One that the key cannot see is 404, same as an unknown one.",
  "c2a7e9d4-1b3f-4f0e-8a6d-93b5d7e1f052",
);

/** No stop is longer: 31 years. */
const maxSeconds = 1_000_000_000;

export const minDurationS: Parameter<number> = {
  ...query,
  name: "min_duration_s",
  description:
    "Only stops of at least this many seconds. An open one counts as long as it has lasted by its newest frame.",
  schema: { type: "integer", minimum: 0, maximum: maxSeconds },
  example: 300,
  expected: `a whole number from 0 to ${maxSeconds}`,
  read: (text) => (/^\d{1,10}$/.test(text) && Number(text) <= maxSeconds ? Number(text) : undefined),
};
