import type { TrackerFamily } from "../kit/family.ts";
import { alarmBits2013 } from "./alarms.ts";
import { decode, type Jt808Session } from "./decoder.ts";
import { cut, maxMessageBytes } from "./framer.ts";

export const jt808: TrackerFamily<Jt808Session> = {
  name: "jt808",
  title: "JT/T 808: Chinese lorries, dashcams and locators",
  port: 5015,
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
      "fuel",
      "temperature",
      "tyre",
    ],
    events: [
      ...new Set([
        ...Object.values(alarmBits2013),
        ...([
          "harsh_acceleration",
          "harsh_braking",
          "harsh_cornering",
          "lane_change",
          "idling",
          "towing",
          "high_rpm",
        ] as const),
        ...(["geofence_enter", "geofence_exit", "low_power", "power_off", "power_restored", "temperature"] as const),
      ]),
    ],
  },
  cut,
  begin: () => ({ serial: 0, partial: null }),
  decode,
};
