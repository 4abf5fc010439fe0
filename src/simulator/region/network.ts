import type { Place } from "../../domain/geometry/distance.ts";
import { purposes, Random } from "../random.ts";
import { isRoadKind, type RoadKind, type RoadKindName, roadKinds } from "./road-kinds.ts";
import { junctions, roads } from "./roads.ts";
import { headingBetween, placeAside, reversed, type Shape, splitShape, windingRoad } from "./shape.ts";

/** A road in the direction in which it is driven. */
export interface Road extends Shape {
  readonly kindName: RoadKindName;
  readonly kind: RoadKind;
  readonly from: number;
  readonly to: number;
  readonly lengthMetres: number;
}

/** A road between two junctions before anything is built beside it. */
export interface Street {
  readonly kind: RoadKindName;
  /** Of a motorway: `A 10`. */
  readonly number: string | null;
  readonly from: string;
  readonly to: string;
  readonly shape: Shape;
}

/** All streets of the region: the same in every world, whatever its seed. */
export function regionStreets(): readonly Street[] {
  const places = readJunctions();
  const random = new Random(purposes.region);
  const streets: Street[] = [];
  for (const { kind, number, from, to } of readRoads()) {
    const [begin, end] = [places.get(from), places.get(to)];
    if (begin === undefined || end === undefined) throw new Error(`no junction ${from} or ${to}`);
    const { winding, shapeMetres } = roadKinds[kind];
    streets.push({ kind, number, from, to, shape: windingRoad(begin, end, winding, shapeMetres, random) });
  }
  return streets;
}

function readJunctions(): Map<string, Place> {
  return new Map(
    junctions
      .split(/[|\n]/)
      .map((text) => text.trim())
      .filter((text) => text !== "")
      .map((text) => {
        const [name = "", latitude, longitude] = text.split(" ");
        return [name, { latitude: Number(latitude), longitude: Number(longitude) }];
      }),
  );
}

function readRoads(): Omit<Street, "shape">[] {
  return roads
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => {
      const [kind = "", ways = ""] = line.split(": ");
      if (!isRoadKind(kind)) throw new Error(`no kind of road: ${kind}`);
      return ways.split(" & ").flatMap((way) => {
        const [, digits, junctions = ""] = /^(?:A(\d+) )?(.*)$/.exec(way) ?? [];
        const number = digits === undefined ? null : `A ${digits}`;
        const names = junctions.split(" ");
        return names.slice(1).map((to, index) => ({ kind, number, from: names[index] as string, to }));
      });
    });
}

/** Where a place is to be built: beside a street, at a fraction of it. */
export interface Site {
  readonly street: Street;
  readonly fraction: number;
  readonly metresAside: number;
  readonly isLeft: boolean;
}

/** The roads that can be driven, with all places that were built beside them. */
export class Network {
  readonly places: Place[] = [];
  readonly roadsFrom: Road[][] = [];

  /** Returns the node of each site, in their order. */
  static build(streets: readonly Street[], sites: readonly Site[]): { network: Network; nodes: number[] } {
    const network = new Network();
    const nodes: number[] = [];
    const known = new Map<string, number>();
    const nodeOf = (name: string, place: Place) => {
      const node = known.get(name) ?? network.addNode(place);
      known.set(name, node);
      return node;
    };
    const sitesOf = Map.groupBy(sites.keys(), (index) => (sites[index] as Site).street);
    for (const street of streets) {
      const { shape, kind } = street;
      let from = nodeOf(street.from, endOf(shape, 0));
      const to = nodeOf(street.to, endOf(shape, -1));
      let rest = shape;
      let done = 0;
      const along = (sitesOf.get(street) ?? []).toSorted(
        (one, other) => (sites[one] as Site).fraction - (sites[other] as Site).fraction,
      );
      for (const index of along) {
        const site = sites[index] as Site;
        const fraction = Math.min(0.98, Math.max(0.02, (site.fraction - done) / (1 - done)));
        const { at, parts } = splitShape(rest, fraction);
        const turnoff = network.addNode(at);
        network.addRoad(kind, from, turnoff, parts[0]);
        nodes[index] = network.addPlaceBeside(turnoff, parts[0], site);
        [from, rest, done] = [turnoff, parts[1], Math.max(done, site.fraction)];
      }
      network.addRoad(kind, from, to, rest);
    }
    return { network, nodes };
  }

  addNode(place: Place): number {
    this.roadsFrom.push([]);
    return this.places.push(place) - 1;
  }

  /** A dead end of a few metres, such as a bay in a yard. */
  addBay(yard: number, metres: number, headingDeg: number): number {
    const place = placeAside(this.places[yard] as Place, metres, headingDeg);
    const bay = this.addNode(place);
    this.addRoad("access", yard, bay, windingRoad(this.places[yard] as Place, place, 0, 1000, new Random(bay)));
    return bay;
  }

  addPlaceBeside(turnoff: number, street: Shape, { metresAside, isLeft }: Site): number {
    const last = street.latitudes.length - 1;
    const [lat, lon] = [street.latitudes, street.longitudes];
    const heading = headingBetween(lat.at(-2) ?? 0, lon.at(-2) ?? 0, lat[last] ?? 0, lon[last] ?? 0);
    const at = this.places[turnoff] as Place;
    const place = placeAside(at, metresAside, heading + (isLeft ? -80 : 80));
    const node = this.addNode(place);
    const { winding, shapeMetres } = roadKinds.access;
    this.addRoad("access", turnoff, node, windingRoad(at, place, winding, shapeMetres, new Random(node)));
    return node;
  }

  addRoad(kindName: RoadKindName, from: number, to: number, shape: Shape): void {
    const lengthMetres = shape.metres.at(-1) ?? 0;
    const kind = roadKinds[kindName];
    this.roadsFrom[from]?.push({ ...shape, kindName, kind, from, to, lengthMetres });
    this.roadsFrom[to]?.push({ ...reversed(shape), kindName, kind, from: to, to: from, lengthMetres });
  }
}

function endOf({ latitudes, longitudes }: Shape, index: 0 | -1): Place {
  return { latitude: latitudes.at(index) ?? 0, longitude: longitudes.at(index) ?? 0 };
}
