import { Failure } from "../../domain/errors.ts";
import { usualEarliestMs } from "../../domain/quality/clock.ts";
import { formatInstant } from "../../domain/time/time.ts";
import { readCsv } from "../../intake/formats/csv.ts";
import { readGpx } from "../../intake/formats/gpx.ts";
import { FrameStorer } from "../../intake/frame-storer.ts";
import type { ImportedPoint } from "../../intake/incoming-frame.ts";
import { FrameQueue } from "../../intake/queue.ts";
import { withoutStored } from "../../intake/skip-stored.ts";
import { deviceIdentity } from "../../store/fleet/devices.ts";
import type { StoredTrack } from "../both-sides/contract/tracks.ts";
import { readId } from "../read-body.ts";
import { invalidFields, noSuch } from "../refusals.ts";
import { portalRoute } from "../route.ts";

/**
 * Stores a recorded drive, or a piece of one, as `odograph import` does: a point counts as received when it was recorded, and
 * sent again it changes nothing.
 */
export const storeTrack = portalRoute("PUT /tracks/{device_id}", "owner", async (call) => {
  const { parts, session } = call;
  const { database, observe } = parts;
  const { visibility } = session;
  const { accountId } = visibility;
  const device = await deviceIdentity(database, visibility, { id: readId(call, "device") });
  if (device === null) throw noSuch("device");
  let firstRefused: number | null = null;
  let [unchanged, lastAt] = [0, 0];
  const storer = new FrameStorer(
    new FrameQueue(database, observe),
    (line) => {
      firstRefused = Math.min(line, firstRefused ?? line);
    },
    { earliestMs: usualEarliestMs },
  );
  const points = withoutStored(database, { accountId, device: device.device }, read(call.body, device.imei), () => {
    unchanged++;
  });
  for await (const point of orRefuse(points)) {
    if ("reason" in point) storer.refuse(point.line, point.reason);
    else {
      storer.add(accountId, point.line, point.frame);
      lastAt = Math.max(lastAt, point.frame.recordedAt ?? 0);
    }
    if (storer.isFull) await storer.flush();
  }
  await storer.flush();
  const { added, refused } = storer.tally;
  const data: StoredTrack = {
    added,
    unchanged: unchanged + storer.tally.unchanged,
    refused,
    first_refused: firstRefused,
    last_at: lastAt === 0 ? null : formatInstant(lastAt),
  };
  return { body: { data } };
});

async function* read(body: Uint8Array, imei: string): AsyncGenerator<ImportedPoint> {
  // It drops the byte order mark that some programs put in front.
  const text = new TextDecoder().decode(body);
  yield* text.trimStart().startsWith("<") ? readGpx([text], imei) : readCsv([text], { imei, speedUnit: "kmh" });
}

/** What is no track at all is the sender's mistake. */
async function* orRefuse(points: AsyncIterable<ImportedPoint>): AsyncGenerator<ImportedPoint> {
  try {
    yield* points;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "FILE_UNREADABLE") throw error;
    throw invalidFields({ file: error.message });
  }
}
