import { formatReported, type Reported } from "../domain/reported.ts";
import type { StoredFrame } from "../store/blocks/stored-frame.ts";
import type { Reader } from "../store/database.ts";
import type { DeviceKey } from "../store/device-key.ts";
import { framesAt } from "../store/frames/frames.ts";
import { arrivalOf } from "./arrival.ts";
import { mayBeSameReason } from "./formats/imported-point.ts";
import type { ExportedAs, ImportedPoint } from "./incoming-frame.ts";

type ExportedPoint = Extract<ImportedPoint, { frame: unknown }> & { readonly exported: ExportedAs };

/** Points whose stored frames are read at once. */
const pointsAtOnce = 500;

/**
 * The points without those of our own exports that are in the store already. An export cannot hold all of a frame, such as its
 * sensors, so the frame that is made of a point may differ from the one that the point was made of, and would be stored beside
 * it. A point that makes exactly the stored frame is passed on: it may bring an earlier time of receipt.
 */
export async function* withoutStored(
  reader: Reader,
  device: DeviceKey,
  points: AsyncIterable<ImportedPoint>,
  onStored: () => void,
): AsyncGenerator<ImportedPoint> {
  let waiting: ExportedPoint[] = [];
  const notStored = async () => {
    const looked = waiting;
    waiting = [];
    const stored = await storedByMoment(reader, device, looked);
    return looked.filter((point) => {
      const isNew = !isStored(point, stored.get(point.exported.recordedAt) ?? []);
      if (!isNew) onStored();
      return isNew;
    });
  };
  try {
    for await (const point of points) {
      if ("reason" in point || point.exported === undefined) yield point;
      else if (waiting.push({ ...point, exported: point.exported }) >= pointsAtOnce) yield* await notStored();
    }
  } catch (error) {
    // What comes before the place where a file is broken counts.
    yield* await notStored();
    throw error;
  }
  yield* await notStored();
}

async function storedByMoment(
  reader: Reader,
  device: DeviceKey,
  points: readonly ExportedPoint[],
): Promise<Map<number, StoredFrame[]>> {
  const moments = points.map(({ exported }) => exported.recordedAt);
  return Map.groupBy(await framesAt(reader, device, moments), ({ frame }) => frame.recordedAt);
}

function isStored({ frame, exported }: ExportedPoint, stored: readonly StoredFrame[]): boolean {
  if (stored.length === 0) return false;
  const { digest } = arrivalOf(frame).frame;
  if (stored.some((candidate) => candidate.frame.digest === digest)) return false;
  // Earlier exports do not say whose time it is.
  const reportedBy = (one: Reported) => formatReported({ ...one, time_source: undefined });
  const reported = reportedBy(frame);
  return stored.some(
    (candidate) =>
      reportedBy(candidate.frame) === reported &&
      (!exported.hasDrivers || candidate.frame.driver_id === frame.driver_id) &&
      mayBeSameReason(exported.rejectReason, candidate.verdict.rejectReason ?? undefined),
  );
}
