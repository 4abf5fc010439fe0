import type { Figure } from "./turns.ts";

/** Something that holds the trucks and answers the same questions, each over one connection. */
export interface TruckStore {
  readonly name: string;
  /** All moments, once. The figure is that of one moment. */
  fill(): Promise<Figure>;
  readonly questions: Readonly<Record<TruckQuestion, (seconds: number) => Promise<Figure>>>;
  close(): Promise<void>;
}

export const truckQuestions = [
  "last location of a fleet",
  "low fuel in a fleet",
  "stationary trucks of a fleet",
] as const;
export type TruckQuestion = (typeof truckQuestions)[number];
