/** Who drove how much of a vehicle's days. The days are those of the mileage; trips say who drove. */

/** What is shared out. The first is exact to the trips of each driver, the others to the day. */
export interface Amounts {
  readonly distanceMm: number;
  readonly drivingMs: number;
  readonly idleMs: number;
  readonly gapMm: number;
}

export interface SharedDay extends Amounts {
  /** When it began and ended, by the time zone that it is of. */
  readonly from: number;
  readonly until: number;
  readonly tripCount: number;
  readonly maxSpeedMPerH: number | null;
  /** What it was moved without being driven is nobody's. Null: not known. */
  readonly carriedMm: number | null;
}

/** A part of a trip, and who drove it; null: nobody was named. */
export interface DrivenPart {
  readonly driverId: string | null;
  readonly from: number;
  readonly until: number;
}

export interface SharedTrip extends Pick<Amounts, "distanceMm" | "idleMs"> {
  readonly startedAt: number;
  /** Of one in progress: its newest position. */
  readonly endedAt: number;
  readonly maxSpeedMPerH: number | null;
  readonly hasGap: boolean;
  /** In ascending time, without a hole. */
  readonly driven: readonly DrivenPart[];
}

export interface DriverShare<Day> extends Amounts {
  readonly day: Day;
  readonly driverId: string | null;
  readonly tripCount: number;
  readonly maxSpeedMPerH: number | null;
  readonly carriedMm: number | null;
}

/**
 * A share for each day and driver, and one without a driver for what is left of the day: trips that nobody was named for, and
 * what was driven or idled outside of trips, or was carried. Drivers have the distance of their trips, even where the vehicle's own odometer says
 * less; of everything else no more than the day has.
 *
 * A trip over midnight is cut where the days were: what a day has beside its other trips is this one's. A handover is cut by time.
 */
export function driverShares<Day extends SharedDay>(
  days: readonly Day[],
  trips: readonly SharedTrip[],
): DriverShare<Day>[] {
  const shares = days.map((day) => new DayShares(day));
  const long: SharedTrip[] = [];
  for (const trip of trips) {
    const touched = daysOf(trip, shares);
    if (touched.length === 1) touched[0]?.add(trip, amountsOf(trip), trip);
    else if (touched.length > 1) long.push(trip);
  }
  for (const trip of long) shareOut(trip, daysOf(trip, shares));
  return shares.flatMap((share) => share.all());
}

/** The days that a trip was under way on. One of a day without a row counts for the next, as in the mileage. */
function daysOf<Day extends SharedDay>(
  { startedAt, endedAt }: SharedTrip,
  shares: readonly DayShares<Day>[],
): DayShares<Day>[] {
  const touched = shares.filter(({ day }) => startedAt < day.until && endedAt >= day.from);
  if (touched.length > 0) return touched;
  const next = shares.find(({ day }) => day.from > endedAt);
  return next ? [next] : [];
}

function amountsOf({ startedAt, endedAt, distanceMm, idleMs, hasGap }: SharedTrip): Amounts {
  const drivingMs = Math.max(0, endedAt - startedAt - idleMs);
  return { distanceMm, drivingMs, idleMs, gapMm: hasGap ? distanceMm : 0 };
}

const quantities = ["distanceMm", "drivingMs", "idleMs", "gapMm"] as const;
const nothing: Amounts = { distanceMm: 0, drivingMs: 0, idleMs: 0, gapMm: 0 };

/** Day by day, what is left of each: the last has the rest, so nothing of the trip is lost. */
function shareOut<Day extends SharedDay>(trip: SharedTrip, touched: readonly DayShares<Day>[]): void {
  let rest = amountsOf(trip);
  for (const [index, share] of touched.entries()) {
    const { day } = share;
    const part = { startedAt: Math.max(trip.startedAt, day.from), endedAt: Math.min(trip.endedAt, day.until) };
    const isLast = index === touched.length - 1;
    const left = share.left();
    const own = isLast ? rest : amounts((name) => Math.min(rest[name], left[name]));
    share.add(trip, own, part, index === 0);
    rest = amounts((name) => rest[name] - own[name]);
  }
}

function amounts(of: (name: keyof Amounts) => number): Amounts {
  return { distanceMm: of("distanceMm"), drivingMs: of("drivingMs"), idleMs: of("idleMs"), gapMm: of("gapMm") };
}

/** What is shared out of one day. */
class DayShares<Day extends SharedDay> {
  readonly day: Day;
  readonly #shares = new Map<string | null, DriverShare<Day>>();

  constructor(day: Day) {
    this.day = day;
  }

  /** What is not shared out yet. */
  left(): Amounts {
    const shares = [...this.#shares.values()];
    return amounts((name) =>
      Math.max(
        0,
        shares.reduce((rest, share) => rest - share[name], this.day[name]),
      ),
    );
  }

  /** The part of a trip that is of this day, which its drivers had one after the other. */
  add(trip: SharedTrip, own: Amounts, part: Pick<SharedTrip, "startedAt" | "endedAt">, isStart = true): void {
    const ms = part.endedAt - part.startedAt;
    const parts = trip.driven
      .map(({ driverId, from, until }) => ({
        driverId,
        from: Math.max(from, part.startedAt),
        until: Math.min(until, part.endedAt),
      }))
      .filter(({ from, until }) => until > from);
    const driven = parts.length > 0 ? parts : trip.driven.slice(0, 1).map((one) => ({ ...one, from: 0, until: 0 }));
    let before = nothing;
    let passedMs = 0;
    for (const [index, { driverId, from, until }] of driven.entries()) {
      passedMs += until - from;
      const isLast = index === driven.length - 1;
      const upTo = isLast ? own : amounts((name) => Math.round((own[name] * passedMs) / ms));
      const tripCount = isStart && index === 0 ? 1 : 0;
      this.#grow(
        driverId,
        amounts((name) => upTo[name] - before[name]),
        tripCount,
        trip.maxSpeedMPerH,
      );
      before = upTo;
    }
  }

  #grow(driverId: string | null, more: Amounts, tripCount: number, speed: number | null): void {
    const known = this.#shares.get(driverId);
    this.#shares.set(driverId, {
      day: this.day,
      driverId,
      ...amounts((name) => (known?.[name] ?? 0) + more[name]),
      tripCount: (known?.tripCount ?? 0) + tripCount,
      maxSpeedMPerH: faster(known?.maxSpeedMPerH ?? null, slower(speed, this.day.maxSpeedMPerH)),
      carriedMm: this.day.carriedMm === null ? null : 0,
    });
  }

  all(): DriverShare<Day>[] {
    const { day } = this;
    const named = this.#bounded().filter(({ driverId }) => driverId !== null);
    const unnamed = this.#shares.get(null);
    const left = amounts((name) =>
      Math.max(
        0,
        named.reduce((rest, share) => rest - share[name], day[name]),
      ),
    );
    const tripCount = Math.max(
      0,
      named.reduce((rest, share) => rest - share.tripCount, day.tripCount),
    );
    const { carriedMm } = day;
    const hasRest = tripCount > 0 || (carriedMm ?? 0) > 0 || quantities.some((name) => left[name] > 0);
    // Nobody was named all day: the day's speed is theirs, also if it was reached outside of a trip.
    const maxSpeedMPerH = named.length === 0 ? day.maxSpeedMPerH : (unnamed?.maxSpeedMPerH ?? null);
    if (!hasRest) return named;
    return [...named, { day, driverId: null, ...left, tripCount, maxSpeedMPerH, carriedMm }];
  }

  /** Trips do not say how long they drove, nor how far unseen: that may be no more than the day says. */
  #bounded(): DriverShare<Day>[] {
    const shares = [...this.#shares.values()];
    const factor = (name: keyof Amounts) => {
      const sum = shares.reduce((all, share) => all + share[name], 0);
      return name === "distanceMm" || sum <= this.day[name] ? 1 : this.day[name] / sum;
    };
    const factors = amounts(factor);
    return shares.map((share) => ({ ...share, ...amounts((name) => Math.floor(share[name] * factors[name])) }));
  }
}

function faster(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

function slower(one: number | null, other: number | null): number | null {
  return one === null || other === null ? one : Math.min(one, other);
}
