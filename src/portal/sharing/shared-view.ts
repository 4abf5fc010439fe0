import type { OpenShare } from "../../access/share-links.ts";
import { historyFrames } from "../../api/lists/history-frames.ts";
import { isUnderWay } from "../../domain/motion.ts";
import { parseReported } from "../../domain/reported.ts";
import { formatInstant } from "../../domain/time/time.ts";
import { verdictOf } from "../../domain/verdict.ts";
import { devicesOf } from "../../store/access/share-links.ts";
import type { Reader } from "../../store/database.ts";
import { type SharedVehicleRow, vehiclesInSight } from "../../store/fleet/vehicles-in-sight.ts";
import { type FrameKey, type LatestPositionRow, latestPositions } from "../../store/frames/positions.ts";
import type { SharedTrack, SharedVehicle, SharedView, TrackPoint } from "../both-sides/contract/shares.ts";
import { townOf } from "../towns/town-of.ts";
import { linkEnded } from "./visitor.ts";

const pointsPerPage = 1_000;

/** What the link shows now. Its maker has lost sight of the vehicles if there are none: then it has ended. */
export async function sharedView(reader: Reader, share: OpenShare, now: number): Promise<SharedView> {
  const { link, visibility } = share;
  const seen = await vehiclesInSight(reader, visibility, null);
  if (seen.length === 0) throw linkEnded();
  const page = { device: null, after: null, count: visibility.devices.length };
  const latest = link.is_live ? await latestPositions(reader, visibility, page) : [];
  const positions = new Map<string, SharedVehicle["position"]>();
  for (const row of latest) positions.set(row.device_id, await positionOf(row));
  const rows = new Map(seen.map((row) => [row.device, row]));
  return {
    live: Boolean(link.is_live),
    period: sharedPeriod(link),
    until: formatInstant(link.expires_at),
    now: formatInstant(now),
    vehicles: devicesOf(link).flatMap((device, vehicle): SharedVehicle[] => {
      const row = device === null ? undefined : rows.get(device);
      if (row === undefined) return [];
      return [{ vehicle, label: labelOf(share, row), position: positions.get(row.id) ?? null }];
    }),
  };
}

/** The next part of a vehicle's track. Never anything outside of the period. */
export async function sharedTrack(
  reader: Reader,
  { link, visibility }: OpenShare,
  { vehicle, after }: { readonly vehicle: number; readonly after: FrameKey | null },
): Promise<SharedTrack> {
  const number = devicesOf(link)[vehicle] ?? null;
  const seen = number === null ? [] : await vehiclesInSight(reader, visibility, [number]);
  const [device] = seen;
  const { from_at: fromMs, to_at: toMs } = link;
  if (device === undefined || fromMs === null || toMs === null) throw linkEnded();
  const start = after !== null && after.at >= fromMs ? after : null;
  const frames = await historyFrames(reader, visibility, {
    device,
    validOnly: true,
    fromMs,
    toMs,
    after: start,
    count: pointsPerPage,
  });
  const last = frames.at(-1);
  return {
    data: frames.flatMap(({ recordedAt, place, verdict }): TrackPoint[] => {
      const { latitude, longitude } = place;
      if (latitude === null || longitude === null) return [];
      return [[recordedAt, longitude, latitude, verdictOf(verdict).discontinuity ? 1 : 0]];
    }),
    after: last === undefined ? writeKey(start) : writeKey({ at: last.recordedAt, digest: last.digest }),
    is_last: frames.length < pointsPerPage,
  };
}

export function sharedPeriod({ from_at, to_at }: { readonly from_at: number | null; readonly to_at: number | null }) {
  return from_at === null || to_at === null ? null : { from: formatInstant(from_at), to: formatInstant(to_at) };
}

/** Never the other one: the maker chose what a visitor reads. */
function labelOf({ link }: OpenShare, { name, plate }: SharedVehicleRow): string | null {
  return link.label === "name" ? name : plate;
}

async function positionOf(row: LatestPositionRow): Promise<SharedVehicle["position"]> {
  const { latitude, longitude, heading_deg, speed_kmh, ignition } = parseReported(row.fields_json);
  if (latitude === null || longitude === null) return null;
  const moving = isUnderWay({ speed_kmh, ignition, trip_id: row.trip_id });
  const town = await townOf({ latitude, longitude });
  return { latitude, longitude, recorded_at: formatInstant(row.recorded_at), heading_deg, moving, town };
}

function writeKey(key: FrameKey | null): string | null {
  return key === null ? null : `${key.at}.${key.digest}`;
}

/** Null for a text that is none. A made-up one leads nowhere that the link does not show. */
export function readKey(text: string): FrameKey | null {
  const [, at, digest] = /^(\d{1,15})\.(\d{1,16})$/.exec(text) ?? [];
  return at === undefined || digest === undefined ? null : { at: Number(at), digest: Number(digest) };
}
