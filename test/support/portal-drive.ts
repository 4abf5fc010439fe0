/** A drive along a way, with the speeds that a lorry has on it. */
export interface Stretch {
  readonly beginAt: number;
  /** Longitude, latitude. */
  readonly through: readonly (readonly [number, number])[];
  readonly cruiseKmh: number;
}

export interface DrivenFrame {
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed_kmh: number;
  readonly heading_deg: number;
  readonly ignition: boolean;
}

const everyMs = 30_000;
const metresPerDegree = 111_195;
/** How far before an end of the way it is slow. */
const slowMetres = 4000;
/** Frames with the engine off after the arrival: enough for the trip to end. */
const parkedFrames = 4;

/** Longitude and latitude of places on the way. */
const ways = {
  "hamburg-luebeck":
    "9.99,53.55 10.08,53.58 10.19,53.64 10.3,53.7 10.4,53.78 10.55,53.83 10.66,53.87 10.8,53.91 10.86,53.94",
  "luebeck-wismar": "10.86,53.94 10.83,53.87 10.95,53.83 11.1,53.85 11.22,53.82 11.34,53.86 11.46,53.89",
  "wismar-schwerin": "11.46,53.89 11.48,53.83 11.44,53.76 11.47,53.7 11.42,53.63",
  "schwerin-hamburg":
    "11.42,53.63 11.36,53.56 11.2,53.51 11.0,53.52 10.8,53.49 10.6,53.51 10.4,53.55 10.2,53.53 9.99,53.55",
} as const;

export function loopOf(name: keyof typeof ways): Stretch["through"] {
  return ways[name].split(" ").map((place) => {
    const [longitude = 0, latitude = 0] = place.split(",").map(Number);
    return [longitude, latitude];
  });
}

/** Its frames from the start to some minutes after the arrival. The same stretch gives the same frames. */
export function drive({ beginAt, through, cruiseKmh }: Stretch): DrivenFrame[] {
  const way = bends(through);
  const wholeMetres = way.at(-1)?.metres ?? 0;
  const frames: DrivenFrame[] = [];
  let at = beginAt;
  let metres = 0;
  while (metres < wholeMetres) {
    const near = Math.min(metres, wholeMetres - metres);
    const share = Math.min(1, 0.35 + (0.65 * near) / slowMetres);
    const speed_kmh = Math.round(
      cruiseKmh * share * (1 + 0.12 * Math.sin(metres / 2300) + 0.05 * Math.sin(metres / 610)),
    );
    frames.push({ at, ...placeAt(way, metres), speed_kmh, ignition: true });
    metres += (speed_kmh / 3.6) * (everyMs / 1000);
    at += everyMs;
  }
  const arrival = placeAt(way, wholeMetres);
  for (let index = 0; index < parkedFrames; index++) {
    frames.push({ at: at + index * 2 * everyMs, ...arrival, speed_kmh: 0, ignition: false });
  }
  return frames;
}

interface Bend {
  readonly longitude: number;
  readonly latitude: number;
  readonly metres: number;
}

const stepsBetween = 24;

/** The way with rounded corners (Catmull and Rom), and how far along it each point is. */
function bends(through: Stretch["through"]): Bend[] {
  const result: Bend[] = [];
  for (let index = 0; index + 1 < through.length; index++) {
    for (let step = 0; step < stepsBetween; step++) add(index, step / stepsBetween);
  }
  add(through.length - 2, 1);
  return result;

  function add(index: number, share: number): void {
    const at = (offset: number) => through[Math.max(0, Math.min(through.length - 1, index + offset))] ?? [0, 0];
    const [a, b, c, d] = [at(-1), at(0), at(1), at(2)];
    const longitude = spline(a[0], b[0], c[0], d[0], share);
    const latitude = spline(a[1], b[1], c[1], d[1], share);
    const before = result.at(-1);
    const east = (longitude - (before?.longitude ?? longitude)) * Math.cos((latitude * Math.PI) / 180);
    const north = latitude - (before?.latitude ?? latitude);
    result.push({ longitude, latitude, metres: (before?.metres ?? 0) + Math.hypot(east, north) * metresPerDegree });
  }
}

function spline(a: number, b: number, c: number, d: number, t: number): number {
  return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t);
}

function placeAt(way: readonly Bend[], metres: number) {
  const next = Math.max(
    1,
    way.findIndex((bend) => bend.metres >= metres),
  );
  const [from, to] = [way[next - 1], way[next]];
  if (!from || !to) throw new Error("a way has at least two points");
  const share = (metres - from.metres) / (to.metres - from.metres || 1);
  const east = (to.longitude - from.longitude) * Math.cos((from.latitude * Math.PI) / 180);
  const heading = (Math.atan2(east, to.latitude - from.latitude) * 180) / Math.PI;
  return {
    latitude: rounded(from.latitude + share * (to.latitude - from.latitude)),
    longitude: rounded(from.longitude + share * (to.longitude - from.longitude)),
    heading_deg: Math.round((heading + 360) % 360),
  };
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
