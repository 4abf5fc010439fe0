import { trackerKey } from "./text/identifiers.ts";

/** What a device's tracker may call itself. */
export interface TrackerNames {
  readonly imei: string;
  readonly tracker_id: string | null;
}

/** The names as they are compared. Each belongs to one device, or a tracker would be taken for two; a device may have one twice. */
export function trackerKeys({ imei, tracker_id }: TrackerNames): string[] {
  return [...new Set([imei, tracker_id ?? imei].map(trackerKey))];
}
