import type { WorldOptions } from "../../simulator/world.ts";

/** What the thread that makes the demo is asked for. It answers in the same order. */
export type ToDemo =
  | { readonly kind: "begin"; readonly world: WorldOptions; readonly from: number; readonly until: number }
  | { readonly kind: "frames" }
  | { readonly kind: "streets"; readonly directory: string; readonly seed: number };

export type FromDemo =
  /** JSON, which is read faster than objects are copied. Null: there are no more. */
  | { readonly kind: "frames"; readonly batch: { readonly json: string; readonly arrivesAt: number } | null }
  | { readonly kind: "streets"; readonly path: string }
  | { readonly kind: "failed"; readonly message: string };
