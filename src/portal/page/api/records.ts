/** The records of the API, written from its description. Types only: nothing of the client is in the page. */
export type {
  Alert,
  Device,
  Geofence,
  GeofenceEvent,
  LatestPosition,
  MileageRow,
  Position,
  SensorReading,
  Severity,
  Stop,
  Trip,
} from "../../../../client/src/types/index.ts";
