import { type FenceArea, prepareFence, signedDistanceMetres } from "../../domain/geometry/fence-area.ts";
import { readFenceShape } from "../../domain/geometry/fence-shape.ts";
import type { FenceRecord } from "../fleet/fences.ts";
import { MotionReader } from "../motion/motion.ts";
import { RouteReader } from "../motion/route-reader.ts";
import type { Drive } from "../motion/timeline.ts";
import type { TrueCrossing } from "./truth.ts";

export interface TrueFence {
  readonly id: string;
  readonly name: string;
  readonly area: FenceArea;
  readonly vehicles: ReadonlySet<number>;
}

export function trueFences(fences: readonly FenceRecord[]): readonly TrueFence[] {
  return fences.map((fence) => {
    const { shape } = readFenceShape(fence);
    if (shape === null) throw new Error(`${fence.name} is no fence`);
    return { id: fence.id, name: fence.name, area: prepareFence(shape), vehicles: new Set(fence.vehicles) };
  });
}

/** The step along the way near an edge. */
const finestStepMetres = 2;

/** Follows the ways of a vehicle past one fence. */
export class FenceWatch {
  readonly #fence: TrueFence;
  readonly #found: { readonly type: "enter" | "exit"; readonly at: number; readonly before: number }[] = [];
  #isInside: boolean | null = null;
  /** How far from the edge it came since the last crossing. */
  #farthest = 0;

  constructor(fence: TrueFence) {
    this.#fence = fence;
  }

  /**
   * Measures the distance to the edge along the way, and skips that far before measuring again. So no crossing is missed,
   * unless an edge is crossed twice within two metres.
   */
  follow({ startsAt, route, motion }: Drive): void {
    const { area } = this.#fence;
    const road = new RouteReader(route);
    const reader = new MotionReader(motion);
    let metres = 0;
    let distance = signedDistanceMetres(area, road);
    this.#isInside ??= distance <= 0;
    this.#farthest = Math.max(this.#farthest, Math.abs(distance));
    while (metres < motion.metres) {
      const next = Math.min(motion.metres, metres + Math.max(finestStepMetres, Math.abs(distance)));
      road.moveTo(next);
      const nextDistance = signedDistanceMetres(area, road);
      if (nextDistance <= 0 !== this.#isInside) {
        const part = Math.abs(distance) / (Math.abs(distance) + Math.abs(nextDistance) || 1);
        const at = startsAt + reader.timeAt(metres + (next - metres) * part) * 1000;
        this.#found.push({ type: this.#isInside ? "exit" : "enter", at: Math.round(at), before: this.#farthest });
        this.#isInside = !this.#isInside;
        this.#farthest = 0;
      }
      this.#farthest = Math.max(this.#farthest, Math.abs(nextDistance));
      [metres, distance] = [next, nextDistance];
    }
  }

  crossings(): TrueCrossing[] {
    const { id, name } = this.#fence;
    return this.#found.map(({ type, at, before }, index) => {
      const after = this.#found[index + 1]?.before ?? this.#farthest;
      return { fenceId: id, fenceName: name, type, at, clearMetres: Math.min(before, after) };
    });
  }
}
