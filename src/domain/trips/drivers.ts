import type { TripDriver } from "../facts.ts";

/** A driver's tag or card, as it was sent last. */
export interface Card {
  readonly driverId: string;
  readonly at: number;
}

/** Who drives, from when on: first to last. */
export interface Drove {
  readonly driverId: string;
  readonly from: number;
}

/** The cards that were sent along a course. Both are absent if none was: most trackers send none. */
export interface Crew {
  readonly drove?: readonly Drove[] | undefined;
  /** When one was last sent. */
  readonly cardAt?: number | undefined;
}

/** A card in the vehicle long before it leaves says nothing of who drives it. */
const longestWaitMs = 1_800_000;

const nobody: Crew = {};

export function crewWith({ drove, cardAt }: Crew, driverId: string | undefined, at: number): Crew {
  if (driverId === undefined) return drove === undefined ? nobody : { drove, cardAt };
  if (drove?.at(-1)?.driverId === driverId) return { drove, cardAt: at };
  return { drove: [...(drove ?? []), { driverId, from: at }], cardAt: at };
}

/** The crew of a trip that starts: whoever showed a card last before it drives. */
export function crewFrom(card: Card | null, startAt: number, crew: Crew): Crew {
  if (card === null || startAt - card.at > longestWaitMs) return crew;
  const { drove = [], cardAt } = crew;
  const first = { driverId: card.driverId, from: startAt };
  const others = drove[0]?.driverId === card.driverId ? drove.slice(1) : drove;
  return { drove: [first, ...others], cardAt: Math.max(cardAt ?? card.at, card.at) };
}

/** The card that was sent after a trip was over: the next driver's, perhaps. */
export function cardAfter({ drove, cardAt }: Crew, endedAt: number): Card | null {
  const last = drove?.at(-1);
  return last === undefined || cardAt === undefined || cardAt <= endedAt
    ? null
    : { driverId: last.driverId, at: cardAt };
}

export function cardWith(card: Card | null, driverId: string | undefined, at: number): Card | null {
  return driverId === undefined ? card : { driverId, at };
}

/**
 * Each until the next one. The first is taken to have driven from the start, though the card may have come later. One whose card came
 * after the last position drives as soon as there is another.
 */
export function tripDrivers({ drove = [] }: Crew, startedAt: number, until: number): readonly TripDriver[] {
  const onTrip = drove.filter(({ from }, index) => index === 0 || from <= until);
  return onTrip.map(({ driverId, from }, index) => ({
    driverId,
    from: index === 0 ? startedAt : from,
    until: onTrip[index + 1]?.from ?? until,
  }));
}
