import type { Show } from "../reading/show.ts";
import type { Texts } from "../texts/texts.ts";

/** Clockwise from north. */
export const compassPoints = ["n", "ne", "e", "se", "s", "sw", "w", "nw"] as const;
export type CompassPoint = (typeof compassPoints)[number];

/** The town that a place is in or near. */
export interface NearTown {
  readonly name: string;
  /** The town that it is a part of; null if it is none, or its name says so. */
  readonly part_of: string | null;
  /** From the middle of the town. */
  readonly distance_m: number;
  /** Near enough to the middle that the name alone says where it is. */
  readonly is_inside: boolean;
  /** Where the place is, as seen from the town. */
  readonly direction: CompassPoint;
}

/** "Erkner", "Friedrichshain, Berlin" or "3 km NW of Erkner". Pure. */
export function townText(
  { name, part_of, distance_m, is_inside, direction }: NearTown,
  show: Pick<Show, "wholeDistance">,
  { map: { nearTown } }: Pick<Texts, "map">,
): string {
  const town = part_of === null ? name : `${name}, ${part_of}`;
  return is_inside ? town : nearTown[direction](show.wholeDistance(distance_m), town);
}
