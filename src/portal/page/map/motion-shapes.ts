import type { Motion } from "./motion.ts";

interface Shape {
  readonly body: string;
  /** Drawn in the middle of it, as a line. */
  readonly sign: string;
}

/** On a grid of 24, north up. Each state has its own shape, so that nothing depends on colour. */
export const motionShapes: Record<Motion, Shape> = {
  moving: { body: "M12 2.5 19.5 20 12 16.2 4.5 20z", sign: "" },
  idling: { body: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z", sign: "M9.8 8.8v6.4M14.2 8.8v6.4" },
  stopped: { body: "M6.5 4.5h11a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2z", sign: "" },
  offline: { body: "M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z", sign: "M7 17 17 7" },
};
