import { sensorKinds } from "../../domain/frame.ts";
import type { Parameter } from "./parameter.ts";

/** Routes read their path parameters: one that does not fit names no record (404), never a wrong request. */
const path = { in: "path", required: true, emptyIsAbsent: false, expected: "", read: (text: string) => text } as const;

export const devicePath: Parameter<string> = {
  ...path,
  name: "device_id",
  description: "The device's UUID, or its IMEI.",
  schema: { type: "string" },
  example: "5b0c3a1e-7f42-4c7b-9d2a-0e6f4a8b1207",
};

export const userPath: Parameter<string> = {
  ...path,
  name: "user_id",
  description: "The sub-account's UUID.",
  schema: { type: "string" },
  example: "1e4d9c70-6a2b-4d53-b8f1-27c05ae3d961",
};

export const kindPath: Parameter<string> = {
  ...path,
  name: "kind",
  description: "The kind of sensor: `fuel`, `temperature` or `tyre`. Another kind is 404.",
  schema: { type: "string", enum: sensorKinds },
  example: "fuel",
};
