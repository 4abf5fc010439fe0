import type { TrackerFamily } from "../kit/family.ts";
import { alarms, az735Alarms, cameraAlarms, modularAlarms, statusAlarms, trx16iAlarms } from "./alarms.ts";
import { decode, type Gt06Session } from "./decoder.ts";
import { maxMessageBytes } from "./envelope.ts";
import { cut } from "./framer.ts";

const events = [alarms, trx16iAlarms, cameraAlarms, az735Alarms, modularAlarms].flatMap((table) => [...table.values()]);

export const gt06: TrackerFamily<Gt06Session> = {
  name: "gt06",
  title: "Concox, Jimi and clones (GT06)",
  port: 5023,
  transports: ["tcp"],
  maxMessageBytes,
  delivers: {
    fields: [
      "latitude",
      "longitude",
      "altitude_m",
      "speed_kmh",
      "heading_deg",
      "satellites",
      "hdop",
      "ignition",
      "odometer_km",
      "battery_percent",
      "external_voltage_v",
      "driver_id",
      "sensors",
    ],
    events: [
      ...new Set([...events, ...statusAlarms.filter((event) => event !== null), "overspeed", "general"] as const),
    ],
  },
  cut,
  begin: () => ({ zoneMinutes: 0, isTopin: false }),
  decode,
};
