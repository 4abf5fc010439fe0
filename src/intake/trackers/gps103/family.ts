import type { TrackerFamily } from "../kit/family.ts";
import type { Gps103Session } from "./clock.ts";
import { decode } from "./decoder.ts";
import { cut, maxMessageBytes } from "./framer.ts";
import { wordEvents } from "./words.ts";

const unknownZone: Gps103Session = { zoneMinutes: null };

export const gps103: TrackerFamily<Gps103Session> = {
  name: "gps103",
  title: "Coban and clones",
  port: 5001,
  transports: ["tcp", "udp"],
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
      "sensors",
      "driver_id",
    ],
    events: wordEvents,
  },
  cut,
  begin: () => unknownZone,
  decode,
};
