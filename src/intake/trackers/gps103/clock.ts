import { isUnset, nearestTimeOfDay, timeOfDigits } from "../kit/text-values.ts";

/** What a connection has shown of its tracker's clock. */
export interface Gps103Session {
  /** How far its local time is ahead of UTC, in minutes, once a message has had both; null: not yet known. */
  readonly zoneMinutes: number | null;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Zones go from -12 to +14 hours and are multiples of a quarter of an hour. */
const maxZoneMs = 14 * hourMs;
const quarterMs = 15 * minuteMs;

interface ReportTime {
  readonly recordedAt: number | null;
  readonly zoneMinutes: number | null;
}

/**
 * A location has its date in local time and its time of day in UTC. The two are less than half a day apart, which gives the date in
 * UTC. Zones beyond +12 look like those 24 hours behind them: there the date counts that is now, if the message has just been sent.
 */
export function reportTimeOf(local: string, utc: string, session: Gps103Session, receivedAt: number): ReportTime {
  const { zoneMinutes } = session;
  const localAt = localTime(local);
  const utcDigits = /^(\d{6})(\.\d*)?$/.exec(utc)?.[1];
  if (utcDigits === undefined) return { recordedAt: localAt, zoneMinutes };
  if (localAt === null) {
    return { recordedAt: isUnset(local) ? nearestTimeOfDay(utcDigits, receivedAt) : null, zoneMinutes };
  }
  const timeOfDay = timeOfDigits("700101", utcDigits, "ymd");
  if (timeOfDay === null) return { recordedAt: null, zoneMinutes };
  const dayStart = Math.floor(localAt / dayMs) * dayMs;
  const sameDay = dayStart + (timeOfDay % dayMs);
  // Whole minutes: the seconds of the two clocks differ.
  const minutes = (at: number) => Math.floor(at / minuteMs);
  const ahead = minutes(localAt) - minutes(sameDay);
  const days = ahead <= -720 ? -1 : ahead > 720 ? 1 : 0;
  const recordedAt = sameDay + days * dayMs;
  const isDayLate = ahead - days * 1440 <= -600 && Math.abs(recordedAt - dayMs - receivedAt) < hourMs;
  const at = isDayLate ? recordedAt - dayMs : recordedAt;
  return { recordedAt: at, zoneMinutes: Math.round((localAt - at) / quarterMs) * 15 };
}

/**
 * Messages without a place have only the local time. The zone is that of earlier messages of the connection. Without one it is the
 * zone that makes it a moment ago, since such messages are not kept; and UTC if that is out of reach.
 */
export function momentOfLocal(local: string, { zoneMinutes }: Gps103Session, receivedAt: number): number | null {
  const localAt = localTime(local);
  if (localAt === null) return null;
  if (zoneMinutes !== null) return localAt - zoneMinutes * minuteMs;
  const ahead = localAt - receivedAt;
  return Math.abs(ahead) <= maxZoneMs ? localAt - Math.round(ahead / quarterMs) * quarterMs : localAt;
}

/** `yymmddhhmm`, with or without seconds, or `yy/mm/dd hh:mm`. */
function localTime(text: string): number | null {
  const match = /^(\d\d)\/?(\d\d)\/?(\d\d) ?(\d\d):?(\d\d)(\d\d)?$/.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second = "00"] = match;
  return timeOfDigits(`${year}${month}${day}`, `${hour}${minute}${second}`, "ymd");
}
