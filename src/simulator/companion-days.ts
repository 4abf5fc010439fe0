import type { Place } from "../domain/geometry/distance.ts";
import { dayMs, dayOf, formatInstant } from "../domain/time/time.ts";
import { type CompanionIdentity, slowClockMs } from "./fleet/companions.ts";
import type { CanonicalFrame, SimulatedMessage } from "./messages.ts";
import { hourMs, minuteMs } from "./plan/calendar.ts";
import type { DaysOfTracker, SimulatedDays } from "./vehicle-days.ts";

/** A machine on a low loader says rarely where it is. */
const carriedEveryMs = minuteMs;
/** In the evening, back at the depot, it is moved to where it stays for the night. */
const startsAtMs = 20 * hourMs;
const runsForMs = 12 * minuteMs;

const standingEveryMs = 2 * minuteMs;
const beginsWorkMs = 5 * hourMs;
const endsWorkMs = 18 * hourMs;
const delayMs = 1_500;

type Days = Pick<SimulatedDays, "firstDayAt">;

/** The days of a device that nobody drives. Null: it has never sent anything. */
export function companionDays(
  { companion: { key }, imei }: CompanionIdentity,
  carrier: SimulatedDays,
  depot: Place,
): DaysOfTracker | null {
  switch (key) {
    case "carried":
      return { ...daysLike(carrier), sent: (day) => ({ messages: carriedMessages(imei, carrier, day) }) };
    case "slow_clock":
      return { ...daysLike(carrier), sent: (day) => ({ messages: standingMessages(imei, depot, day) }) };
    case "unseen":
      return null;
  }
}

/** From midnight to midnight. */
function daysLike({ firstDayAt }: Days): Omit<DaysOfTracker, "sent"> {
  return {
    dayAt: (at) => Math.max(dayOf(at), dayOf(firstDayAt)),
    beginsAt: (day) => day * dayMs,
    endsAt: (day) => (day + 1) * dayMs,
  };
}

/** Where its carrier is, with its own engine off; in the evening it is started. */
function carriedMessages(imei: string, carrier: SimulatedDays, day: number): SimulatedMessage[] {
  const messages: SimulatedMessage[] = [];
  const startsAt = day * dayMs + startsAtMs;
  let next = 0;
  let isBefore = true;
  for (const { frames, arrivesAt } of carrier.sent(day).messages) {
    const [frame] = frames;
    if (frame === undefined || frames.length > 1 || frame.fix === false) continue;
    const at = Date.parse(frame.recorded_at);
    if (at < next) continue;
    next = at + carriedEveryMs;
    if (isBefore && at >= startsAt) {
      isBefore = false;
      for (const [after, ignition] of [
        [0, true],
        [runsForMs / 2, true],
        [runsForMs, false],
      ] as const) {
        messages.push(
          message(imei, { ...frame, speed_kmh: 0 }, startsAt + after, ignition, startsAt + after + delayMs),
        );
      }
    }
    if (at > startsAt && at <= startsAt + runsForMs) continue;
    messages.push(message(imei, frame, at, false, arrivesAt));
  }
  return messages.sort((one, other) => one.arrivesAt - other.arrivesAt);
}

/** On working hours it runs. Its tracker's clock is slow. */
function standingMessages(imei: string, place: Place, day: number): SimulatedMessage[] {
  const messages: SimulatedMessage[] = [];
  for (let ms = 0; ms < dayMs - standingEveryMs; ms += standingEveryMs) {
    const at = day * dayMs + ms;
    const isRunning = ms >= beginsWorkMs && ms < endsWorkMs;
    messages.push(message(imei, place, at + slowClockMs, isRunning, at + delayMs));
  }
  return messages;
}

function message(
  imei: string,
  { latitude, longitude, ...seen }: Partial<CanonicalFrame> & Pick<CanonicalFrame, "latitude" | "longitude">,
  at: number,
  ignition: boolean,
  arrivesAt: number,
): SimulatedMessage {
  const frame: CanonicalFrame = {
    imei,
    recorded_at: formatInstant(at),
    received_at: formatInstant(arrivesAt),
    latitude,
    longitude,
    fix: undefined,
    altitude_m: seen.altitude_m,
    speed_kmh: seen.speed_kmh ?? 0,
    heading_deg: seen.heading_deg,
    accuracy_m: undefined,
    satellites: seen.satellites ?? 11,
    hdop: seen.hdop ?? 0.9,
    ignition,
    odometer_km: undefined,
    battery_percent: undefined,
    external_voltage_v: ignition ? 13.9 : 12.6,
    event: undefined,
    sensors: undefined,
    driver_id: undefined,
  };
  return { arrivesAt, frames: [frame] };
}
