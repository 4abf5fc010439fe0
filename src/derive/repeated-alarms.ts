import { dayMs } from "../domain/time/time.ts";
import type { Reader } from "../store/database.ts";
import { givenDigestsAmong } from "../store/frames/given-digests.ts";
import type { Arrival } from "./arrival.ts";
import type { DeviceArrivals, FrameOutcome } from "./plan.ts";

/**
 * The devices without arrivals of alarms that are stored already, or came before in this batch. An alarm with the time of its receipt
 * has another time whenever its tracker sends it again, but the digest of its bytes: within a day that is the same alarm. It is
 * looked for only where such alarms come, which is almost nowhere.
 */
export async function withoutRepeatedAlarms<Device extends DeviceArrivals>(
  reader: Reader,
  accountId: number,
  devices: readonly Device[],
  arrivals: readonly Arrival[],
  outcomes: FrameOutcome[],
): Promise<readonly Device[]> {
  if (!arrivals.some(({ mayRepeat }) => mayRepeat)) return devices;
  const kept: Device[] = [];
  for (const device of devices) {
    const alarms = device.indexes.filter((index) => arrivals[index]?.mayRepeat);
    if (alarms.length === 0) {
      kept.push(device);
      continue;
    }
    const frames = alarms.map((index) => (arrivals[index] as Arrival).frame);
    const times = frames.map(({ recordedAt }) => recordedAt);
    const range = { fromMs: Math.min(...times) - dayMs, toMs: Math.max(...times) + dayMs + 1 };
    const wanted = new Set(frames.map(({ digest }) => digest));
    const key = { accountId, device: device.tracked.device };
    const known = new Set(await givenDigestsAmong(reader, key, wanted, range));
    const repeated = new Set<number>();
    for (const index of alarms) {
      const { digest } = (arrivals[index] as Arrival).frame;
      if (known.has(digest)) {
        outcomes[index] = "duplicate";
        repeated.add(index);
      }
      known.add(digest);
    }
    kept.push({ ...device, indexes: device.indexes.filter((index) => !repeated.has(index)) });
  }
  return kept;
}
