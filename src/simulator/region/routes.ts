import { Heap } from "../heap.ts";
import type { Network, Road } from "./network.ts";

/** The fastest ways to one node from all others. */
interface WaysTo {
  readonly nextRoad: readonly (Road | null)[];
  readonly metres: Float64Array;
  readonly seconds: Float64Array;
}

/** Finds the fastest route between two nodes. The routes to a node are computed on first use, and cached. */
export class Routes {
  readonly #network: Network;
  readonly #ways = new Map<number, WaysTo>();

  constructor(network: Network) {
    this.#network = network;
  }

  between(from: number, to: number): readonly Road[] {
    const { nextRoad } = this.#waysTo(to);
    const route: Road[] = [];
    for (let node = from; node !== to; ) {
      const road = nextRoad[node];
      if (road === null || road === undefined) throw new Error(`no way from ${from} to ${to}`);
      route.push(road);
      node = road.to;
    }
    return route;
  }

  metres(from: number, to: number): number {
    return this.#waysTo(to).metres[from] as number;
  }

  /** On empty roads, at the limit. */
  seconds(from: number, to: number): number {
    return this.#waysTo(to).seconds[from] as number;
  }

  #waysTo(to: number): WaysTo {
    let ways = this.#ways.get(to);
    if (ways === undefined) {
      ways = waysTo(this.#network, to);
      this.#ways.set(to, ways);
    }
    return ways;
  }
}

/** Junctions cost some time, so that a way through the city is not chosen to save a few seconds. */
const secondsPerJunction = 6;

function waysTo({ roadsFrom }: Network, to: number): WaysTo {
  const count = roadsFrom.length;
  const nextRoad: (Road | null)[] = new Array(count).fill(null);
  const metres = new Float64Array(count);
  const seconds = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  seconds[to] = 0;
  // A node may be in it twice; the costlier one is skipped.
  const queue = new Heap<{ readonly node: number; readonly cost: number }>((one, other) => one.cost < other.cost);
  queue.push({ node: to, cost: 0 });
  for (let first = queue.first; first !== undefined; first = queue.first) {
    const { node, cost: least } = first;
    queue.removeFirst();
    if (least > (seconds[node] as number)) continue;
    for (const back of roadsFrom[node] ?? []) {
      const cost = back.lengthMetres / (back.kind.limitKmh / 3.6) + secondsPerJunction;
      const total = (seconds[node] as number) + cost;
      if (total >= (seconds[back.to] as number)) continue;
      seconds[back.to] = total;
      metres[back.to] = (metres[node] as number) + back.lengthMetres;
      // The same road in the other direction: the one that leads from there to here.
      nextRoad[back.to] =
        roadsFrom[back.to]?.find((road) => road.to === node && road.lengthMetres === back.lengthMetres) ?? null;
      queue.push({ node: back.to, cost: total });
    }
  }
  return { nextRoad, metres, seconds };
}
