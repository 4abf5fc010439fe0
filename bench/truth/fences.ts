import type { Place } from "../../src/domain/geometry/distance.ts";
import { type FenceArea, prepareFence, signedDistanceMetres } from "../../src/domain/geometry/fence-area.ts";
import type { FenceShape } from "../../src/domain/geometry/fence-shape.ts";
import type { Random } from "../../src/simulator/random.ts";
import { type Moment, moved, type Track } from "./track.ts";

const position = ({ longitude, latitude }: Place) => [longitude, latitude] as const;

export function circle(centre: Place, radiusM: number): FenceShape {
  return { shape: "circle", geometry: { type: "Point", coordinates: position(centre) }, radiusM, widthM: null };
}

/** A plot of four to seven corners, this far from its centre or a little less. */
function plot(centre: Place, radius: number, random: Random): FenceShape {
  const corners = random.whole(4, 7);
  const ring = Array.from({ length: corners }, (_, index) => {
    const angle = (2 * Math.PI * (index + random.between(0, 0.5))) / corners;
    const metres = radius * random.between(0.8, 1.1);
    return position(moved(centre, metres * Math.cos(angle), metres * Math.sin(angle)));
  });
  const coordinates = [[...ring, ring[0] as (typeof ring)[number]]];
  return { shape: "polygon", geometry: { type: "Polygon", coordinates }, radiusM: null, widthM: null };
}

/** A road that the track crosses or follows for a while: a line through one of its places. */
function corridor(centre: Place, halfLength: number, widthM: number, random: Random): FenceShape {
  const angle = random.between(0, Math.PI);
  const [east, north] = [halfLength * Math.cos(angle), halfLength * Math.sin(angle)];
  const line = [moved(centre, -east, -north), centre, moved(centre, east, north)].map(position);
  return { shape: "corridor", geometry: { type: "LineString", coordinates: line }, radiusM: null, widthM };
}

/** Fences along a track, some of which it only grazes. */
export function fencesAlong(track: Track, count: number, random: Random): Record<string, FenceShape> {
  const fences: Record<string, FenceShape> = {};
  for (let index = 0; index < count; index++) {
    const at = random.pick(track);
    const radius = random.between(50, 300);
    const angle = random.between(0, 2 * Math.PI);
    const beside = radius * random.between(0, 1.2);
    const centre = moved(at, beside * Math.cos(angle), beside * Math.sin(angle));
    const { latitude, longitude } = centre;
    const place = { latitude, longitude };
    const kind = random.next();
    fences[`fence ${index}`] =
      kind < 0.5
        ? circle(place, radius)
        : kind < 0.8
          ? plot(place, radius, random)
          : corridor(place, radius * 2, random.between(60, 200), random);
  }
  return fences;
}

/** A time inside a fence, as it was. */
export interface Visit {
  readonly fenceId: string;
  /** Null: it was inside from the beginning, or to the end. */
  readonly enteredAt: number | null;
  readonly leftAt: number | null;
  /** When it was clearly outside again: it may wait on the edge before. */
  readonly goneAt: number | null;
  /** How deep inside it came. */
  readonly depthMetres: number;
  /** How far outside it was between this visit and the ones before and after: the lesser. */
  readonly apartMetres: number;
}

/** No rule asks for more than this to call a vehicle outside. */
const goneMetres = 50;

/** The true visits, from a track without errors and with several moments a second. */
export function visitsOn(track: Track, fences: Readonly<Record<string, FenceShape>>): Visit[] {
  return Object.entries(fences).flatMap(([fenceId, shape]) => visitsTo(fenceId, prepareFence(shape), track));
}

function visitsTo(fenceId: string, area: FenceArea, track: Track): Visit[] {
  const visits: Visit[] = [];
  let open: { enteredAt: number | null; depth: number; apart: number } | null = null;
  let before: { moment: Moment; metres: number } | null = null;
  let outside = Infinity;
  let isGone = true;
  const close = (leftAt: number | null) => {
    if (open === null) return;
    const { enteredAt, depth: depthMetres, apart: apartMetres } = open;
    const last = visits.at(-1);
    if (last !== undefined)
      visits[visits.length - 1] = { ...last, apartMetres: Math.min(last.apartMetres, apartMetres) };
    visits.push({ fenceId, enteredAt, leftAt, goneAt: leftAt, depthMetres, apartMetres });
    isGone = false;
    open = null;
  };
  for (const moment of track) {
    // Far away, the distance cannot have changed by more than the way since.
    if (before !== null && before.metres > moment.metres - before.moment.metres + 1) continue;
    const metres = signedDistanceMetres(area, moment);
    if (metres <= 0) {
      open ??= { enteredAt: before === null ? null : moment.at, depth: 0, apart: outside };
      open.depth = Math.max(open.depth, -metres);
    } else {
      if (open !== null) outside = 0;
      close(moment.at);
      outside = Math.max(outside, metres);
      const last = visits.at(-1);
      if (!isGone && last !== undefined) visits[visits.length - 1] = { ...last, goneAt: moment.at };
      isGone ||= metres >= goneMetres;
    }
    before = { moment, metres };
  }
  close(null);
  return visits;
}

/** Whether a straight line between two places comes into the fence. */
export function meets(area: FenceArea, from: Place, to: Place): boolean {
  const parts = 100;
  for (let part = 0; part <= parts; part++) {
    const share = part / parts;
    const latitude = from.latitude + share * (to.latitude - from.latitude);
    const longitude = from.longitude + share * (to.longitude - from.longitude);
    if (signedDistanceMetres(area, { latitude, longitude }) <= 0) return true;
  }
  return false;
}
