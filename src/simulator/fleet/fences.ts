import { metresBetween } from "../../domain/geometry/distance.ts";
import type { Region, StopPlace } from "../region/places.ts";
import { placesOf } from "../region/shape.ts";
import { simulatedId } from "./identity.ts";
import type { Vehicle } from "./roster.ts";

/** A fence as in a fleet file, without the account. */
export interface SimulatedFence {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly color: string;
  readonly shape: "circle" | "polygon" | "corridor";
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
  readonly radius_m?: number;
  readonly width_m?: number;
  /** Places in the roster. */
  readonly vehicles: readonly number[];
}

type Corner = readonly [number, number];

/** The inner city, drawn across the streets that lead into it. */
const innerCity: readonly Corner[] = [
  [13.318, 52.5315],
  [13.352, 52.5345],
  [13.391, 52.5365],
  [13.4215, 52.534],
  [13.4395, 52.5205],
  [13.4375, 52.5015],
  [13.43, 52.4935],
  [13.407, 52.4905],
  [13.3715, 52.4925],
  [13.341, 52.4985],
  [13.3185, 52.508],
];

export const airport: readonly Corner[] = [
  [13.476, 52.3865],
  [13.524, 52.3865],
  [13.524, 52.357],
  [13.47, 52.352],
];

const customersWithFences = 12;

/** A fence is drawn around a customer's yard, not across the road that others use. */
const yardMetres = 110;
const leastFromRoadMetres = 190;

export function createFences(seed: number, region: Region, vehicles: readonly Vehicle[]): readonly SimulatedFence[] {
  const everyone = vehicles.map(({ index }) => index);
  const ofKinds = (...kinds: readonly Vehicle["kindName"][]) =>
    vehicles.filter(({ kindName }) => kinds.includes(kindName)).map(({ index }) => index);
  const fence = (name: string, description: string, color: string, drawn: Drawn, assigned: readonly number[]) => {
    return { name, description, color, ...drawn, vehicles: assigned };
  };
  const avus = corridor(["funkturm-fork", "huettenweg", "spanische-allee"], region);
  const drafts: Omit<SimulatedFence, "id">[] = [
    ...region.places.filter(({ kind }) => kind === "depot").map((place) => around(place, 220, "#1e90ff", everyone)),
    fence("Inner city", "Low emission zone", "#2e8b57", polygon(innerCity), everyone),
    fence("Airport", "Terminal and apron", "#8a2be2", polygon(airport), everyone),
    fence("AVUS", "Watched for speed", "#ff8c00", avus, ofKinds("car", "service", "parcel", "truck")),
    ...customersOf(region, vehicles).map(([place, visitors]) => around(place, yardMetres, "#708090", visitors)),
  ];
  return drafts.map((draft, index) => ({ id: simulatedId(seed, "fence", index), ...draft }));
}

/** The customers that most vehicles have in their district, of those with a yard. */
function customersOf(
  { places, streets }: Region,
  vehicles: readonly Vehicle[],
): (readonly [StopPlace, readonly number[]])[] {
  return places
    .filter((place) => place.kind === "customer" && isAwayFromStreets(place, streets))
    .map((place) => {
      const visitors = vehicles.filter(
        ({ customers, kindName }) => kindName !== "container" && customers.includes(place),
      );
      return [place, visitors.map(({ index }) => index)] as const;
    })
    .toSorted(([, one], [, other]) => other.length - one.length)
    .slice(0, customersWithFences);
}

/** A degree of latitude, or of longitude near Berlin, is longer than this. */
const minMetresPerDegree = 60_000;

function isAwayFromStreets(place: StopPlace, streets: Region["streets"]): boolean {
  const nearDegrees = leastFromRoadMetres / minMetresPerDegree;
  return streets.every(({ shape: { latitudes, longitudes } }) =>
    latitudes.every((latitude, index) => {
      const longitude = longitudes[index] as number;
      if (Math.abs(latitude - place.latitude) > nearDegrees) return true;
      if (Math.abs(longitude - place.longitude) > nearDegrees) return true;
      return metresBetween(place, { latitude, longitude }) >= leastFromRoadMetres;
    }),
  );
}

type Drawn = Pick<SimulatedFence, "shape" | "geometry" | "radius_m" | "width_m">;

function around(
  place: StopPlace,
  radiusM: number,
  color: string,
  vehicles: readonly number[],
): Omit<SimulatedFence, "id"> {
  const { name, latitude, longitude } = place;
  const geometry = { type: "Point", coordinates: [rounded(longitude), rounded(latitude)] };
  return { name, description: `Around ${name}`, color, shape: "circle", geometry, radius_m: radiusM, vehicles };
}

function polygon(corners: readonly Corner[]): Drawn {
  return { shape: "polygon", geometry: { type: "Polygon", coordinates: [[...corners, corners[0]]] } };
}

function corridor(junctions: readonly string[], { streets }: Region): Drawn {
  const line = junctions.slice(1).flatMap((to, index) => {
    const street = streets.find((candidate) => candidate.from === junctions[index] && candidate.to === to);
    if (street === undefined) throw new Error(`no street to ${to}`);
    return placesOf(street.shape).slice(index === 0 ? 0 : 1);
  });
  // It begins and ends a little inside, so that it is only driven through lengthwise.
  const inner = line.slice(3, -3).map(({ latitude, longitude }) => [rounded(longitude), rounded(latitude)]);
  return { shape: "corridor", geometry: { type: "LineString", coordinates: inner }, width_m: 120 };
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
