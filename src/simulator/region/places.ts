import type { Place } from "../../domain/geometry/distance.ts";
import { purposes, Random } from "../random.ts";
import { Network, regionStreets, type Site, type Street } from "./network.ts";
import type { RoadKindName } from "./road-kinds.ts";
import { Routes } from "./routes.ts";

export interface StopPlace extends Place {
  readonly name: string;
  readonly kind: PlaceKind;
  readonly node: number;
}

export interface Region {
  readonly network: Network;
  readonly routes: Routes;
  readonly places: readonly StopPlace[];
  /** The streets with their names, for fences along them. */
  readonly streets: readonly Street[];
}

const customerCount = 130;
const homeCount = 24;

/** How many customers a kilometre of a road has, compared with others. */
const customersAlong: Readonly<Partial<Record<RoadKindName, number>>> = { arterial: 3, street: 4, country: 1 };

/** Farther away is another company's region. */
const longestCustomerRoadMetres = 16_000;

/** Builds the region: roads as they always are, customers and homes by the seed. */
export function createRegion(seed: number): Region {
  const streets = regionStreets();
  const random = new Random(seed, purposes.region);
  const sites: Site[] = [];
  const names: { readonly name: string; readonly kind: PlaceKind }[] = [];
  for (const [name, kind, from, to, fraction, aside] of fixedPlaces) {
    const street = streets.find((candidate) => candidate.from === from && candidate.to === to);
    if (street === undefined) throw new Error(`no street from ${from} to ${to} for ${name}`);
    sites.push({ street, fraction, metresAside: Math.abs(aside), isLeft: aside < 0 });
    names.push({ name, kind });
  }
  const chooseStreet = streetChooser(streets, random);
  const built = new Map<string, number>();
  for (let index = 0; index < customerCount + homeCount; index++) {
    const street = chooseStreet();
    const kind = index < customerCount ? "customer" : "home";
    const quarter = titled(random.chance(0.5) ? street.from : street.to);
    const number = (built.get(quarter) ?? 0) + 1;
    built.set(quarter, number);
    names.push({ name: `${kind === "customer" ? "Customer" : "Home"} ${quarter} ${number}`, kind });
    sites.push({
      street,
      fraction: random.between(0.08, 0.92),
      metresAside: random.between(60, 320),
      isLeft: random.chance(0.5),
    });
  }
  const { network, nodes } = Network.build(streets, sites);
  const places = names.map(({ name, kind }, index) => {
    const node = nodes[index] as number;
    return { name, kind, node, ...(network.places[node] as Place) };
  });
  return { network, routes: new Routes(network), places, streets };
}

function streetChooser(streets: readonly Street[], random: Random): () => Street {
  const fitting = streets.filter(({ shape }) => (shape.metres.at(-1) ?? 0) < longestCustomerRoadMetres);
  const weights = fitting.map(({ kind, shape }) => (customersAlong[kind] ?? 0) * (shape.metres.at(-1) ?? 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return () => {
    let left = random.next() * total;
    const index = weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
    return fitting[Math.max(0, index)] as Street;
  };
}

function titled(name: string): string {
  return name
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(" ");
}

type PlaceKind = "depot" | "terminal" | "station" | "pound" | "rest" | "home" | "customer";

/** Name, kind, the street next to it (from and to), the fraction along it, and the distance from it (negative: left). */
type FixedPlace = readonly [string, PlaceKind, string, string, number, number];

const fixedPlaces: readonly FixedPlace[] = [
  ["North depot", "depot", "reinickendorf", "wittenau", 0.5, 260],
  ["South depot", "depot", "teltow", "grossbeeren", 0.72, -320],
  ["Cold store", "depot", "marzahn", "hellersdorf", 0.4, 280],
  ["Airport terminal", "terminal", "ber-terminal", "ber-exit", 0.25, -220],
  ["Central station", "terminal", "hauptbahnhof", "turmstrasse", 0.2, 140],
  ["Police pound", "pound", "rudow", "schoenefeld", 0.4, 210],
  ["Magdeburg yard", "rest", "magdeburg", "magdeburg-north", 0.3, 240],
  ["Leipzig yard", "rest", "leipzig", "leipzig-north", 0.35, -260],
  ["Cottbus yard", "rest", "cottbus", "cottbus-west", 0.4, 230],
  ["Frankfurt yard", "rest", "frankfurt-oder", "frankfurt-oder-exit", 0.5, -200],
  ["Station Wittenau", "station", "reinickendorf", "wittenau", 0.8, 60],
  ["Station Teltow", "station", "teltow", "grossbeeren", 0.3, -60],
  ["Station Marzahn", "station", "weissenseer-weg", "marzahn", 0.6, 60],
  ["Station Spandau", "station", "staaken", "spandau", 0.5, 60],
  ["Station Steglitz", "station", "innsbrucker", "steglitz", 0.5, -60],
  ["Station Adlershof", "station", "schoeneweide", "adlershof", 0.5, 60],
  ["Station Tempelhof", "station", "tempelhofer-damm", "mariendorf", 0.5, 60],
  ["Station Potsdam", "station", "potsdam", "michendorf-exit", 0.3, 60],
  ["Station Bernau", "station", "buch", "bernau", 0.6, -60],
  ["Station Nauen", "station", "spandau-exit", "nauen", 0.7, 60],
  ["Station Schoenefeld", "station", "rudow", "schoenefeld", 0.7, -60],
  ["Station Zossen", "station", "zossen", "rangsdorf-exit", 0.4, 60],
];
