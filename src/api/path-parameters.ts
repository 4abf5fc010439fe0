import type { Parameter } from "./parameter.ts";

/** Path parameters are read by their routes: what does not fit is no such record, 404, never a wrong request. */
const path = { in: "path", required: true, emptyIsAbsent: false, expected: "" } as const;

export const devicePath: Parameter<string> = {
  ...path,
  name: "device_id",
  description: "The device's UUID, or its IMEI.",
  schema: { type: "string" },
  example: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
  read: (text) => text,
};

export const userPath: Parameter<string> = {
  ...path,
  name: "user_id",
  description: "The sub-account's UUID.",
  schema: { type: "string" },
  example: "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
  read: (text) => text,
};

export const kindPath: Parameter<string> = {
  ...path,
  name: "kind",
  description: "The kind of sensor: `fuel`, `temperature` or `tyre`. Another kind is 404.",
  schema: { type: "string", enum: ["fuel", "temperature", "tyre"] },
  example: "fuel",
  read: (text) => text,
};
