import { bytesOf } from "../kit/bytes.ts";
import type { TrackerFamily } from "../kit/family.ts";
import { eventsOfCodes } from "./alerts.ts";
import { decode, type SuntechSession } from "./decoder.ts";
import { cut, maxMessageBytes } from "./framer.ts";

/** Suntech's text of all series, and its two binary forms. */
export const suntech: TrackerFamily<SuntechSession> = {
  name: "suntech",
  title: "Suntech ST and SA",
  port: 5011,
  transports: ["tcp", "udp"],
  maxMessageBytes,
  delivers: {
    fields: [
      "latitude",
      "longitude",
      "speed_kmh",
      "heading_deg",
      "satellites",
      "ignition",
      "odometer_km",
      "external_voltage_v",
      "sensors",
      "driver_id",
    ],
    events: eventsOfCodes,
  },
  lineEnd: bytesOf("\r"),
  cut,
  begin: (over) => ({ isUdp: over === "udp" }),
  decode,
};
