import { type DayRange, monthOf, weekOf } from "../../domain/time/calendar.ts";
import { isEmbedded } from "../../store/database.ts";
import type { MileageRange, ZoneDayRange } from "../../store/facts/mileage.ts";
import {
  devicesToSum,
  type MileageGroup,
  type MileagePeriod,
  type MileageSumRow,
  type MileageSums,
  mileageSums,
  type SummedDevice,
} from "../../store/facts/mileage-sums.ts";
import type { MileagePeriodRow } from "../records/mileage-period.ts";
import type { RouteCall } from "../route.ts";
import type { ListPart } from "./long-list.ts";
import { inParts, type RowsPart } from "./parts.ts";

/** Days of devices that are summed up in one turn, which takes some milliseconds. */
const daysPerTurn = 5_000;
/** A query of PostgreSQL delays no other request. */
const daysPerStatement = 150_000;
const maxDevicesPerPart = 500;

export interface MileageQuestion extends MileageRange {
  readonly period: MileagePeriod;
  readonly group: MileageGroup;
}

interface DevicesSums {
  readonly devices: readonly SummedDevice[];
  readonly sums: readonly MileageSumRow[];
}

/**
 * The report by periods, part by part. By device, each part has the rows of some devices, in ascending id and then time. Otherwise
 * all rows are in the last part: by tag in ascending order and then time, those without a tag at the end.
 */
export async function* mileagePeriodParts(
  call: RouteCall,
  question: MileageQuestion,
): AsyncGenerator<ListPart<MileagePeriodRow>, void, void> {
  const [present] = question.days;
  const totals = new Totals(question);
  for await (const { rows, next } of inParts(partReader(call, question))) {
    const isLast = next === null;
    if (question.group === "device") yield { rows: rowsByDevice(rows, question, present), isLast };
    else {
      for (const sum of rows.sums) totals.add(sum);
      yield { rows: isLast ? totals.rows() : [], isLast };
    }
  }
}

function partReader({ database, read, visibility }: RouteCall, question: MileageQuestion) {
  const [{ fromDay, untilDay }] = question.days;
  const days = isEmbedded(database) ? daysPerTurn : daysPerStatement;
  const count = Math.max(1, Math.min(maxDevicesPerPart, Math.floor(days / (untilDay - fromDay))));
  return (after: string | null): Promise<RowsPart<DevicesSums, string>> =>
    read(async (reader) => {
      const devices = await devicesToSum(reader, visibility, { ...question, after, count });
      const numbers = devices.map(({ device }) => device);
      const sums = numbers.length === 0 ? [] : await mileageSums(reader, visibility, numbers, question);
      return { rows: { devices, sums }, next: devices.length < count ? null : (devices.at(-1)?.id ?? null) };
    });
}

function rowsByDevice(
  { devices, sums }: DevicesSums,
  { period }: MileageQuestion,
  window: ZoneDayRange,
): MileagePeriodRow[] {
  const byDevice = Map.groupBy(sums, ({ member }) => member);
  return devices.flatMap((device) =>
    (byDevice.get(device.device) ?? [])
      .toSorted((one, other) => one.day - other.day)
      .map(({ member: _, day, ...sum }) => ({ ...sum, ...periodIn(window, period, day), device, tag: null })),
  );
}

/** Sums of devices, by tag or of all. */
class Totals {
  readonly #question: MileageQuestion;
  readonly #rows = new Map<string | null, Map<number, MileagePeriodRow>>();

  constructor(question: MileageQuestion) {
    this.#question = question;
  }

  add({ member, day, ...sums }: MileageSumRow): void {
    const { group, days, period } = this.#question;
    const own = periodIn(days[0], period, day);
    for (const tag of group === "tag" ? tagsIn(String(member)) : [null]) {
      const ofTag = this.#rows.get(tag) ?? new Map<number, MileagePeriodRow>();
      this.#rows.set(tag, ofTag);
      const known = ofTag.get(own.from_day);
      ofTag.set(own.from_day, { ...own, device: null, tag, ...(known ? added(known, sums) : sums) });
    }
  }

  rows(): MileagePeriodRow[] {
    const byTag = [...this.#rows].sort(([one], [other]) => compareTags(one, other));
    return byTag.flatMap(([, ofTag]) => [...ofTag.values()].sort((one, other) => one.from_day - other.from_day));
  }
}

function tagsIn(json: string): readonly (string | null)[] {
  const tags = new Set(JSON.parse(json) as string[]);
  return tags.size === 0 ? [null] : [...tags];
}

function compareTags(one: string | null, other: string | null): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  return one < other ? -1 : 1;
}

function added(one: MileageSums, other: MileageSums): MileageSums {
  const speeds = [one.max_speed_m_per_h, other.max_speed_m_per_h].filter((speed) => speed !== null);
  return {
    device_count: one.device_count + other.device_count,
    distance_mm: one.distance_mm + other.distance_mm,
    trip_count: one.trip_count + other.trip_count,
    driving_ms: one.driving_ms + other.driving_ms,
    idle_ms: one.idle_ms + other.idle_ms,
    max_speed_m_per_h: speeds.length === 0 ? null : Math.max(...speeds),
    gap_distance_mm: one.gap_distance_mm + other.gap_distance_mm,
  };
}

/** The period that a day belongs to, cut to the window. */
function periodIn({ timeZone, fromDay, untilDay }: ZoneDayRange, period: MileagePeriod, day: number) {
  const whole = wholePeriod(period, day);
  return {
    from_day: Math.max(whole.fromDay, fromDay),
    until_day: Math.min(whole.untilDay, untilDay),
    time_zone: timeZone,
  };
}

function wholePeriod(period: MileagePeriod, day: number): DayRange {
  switch (period) {
    case "day":
      return { fromDay: day, untilDay: day + 1 };
    case "week":
      return weekOf(day);
    case "month":
      return monthOf(day);
    case "total":
      return { fromDay: Number.NEGATIVE_INFINITY, untilDay: Number.POSITIVE_INFINITY };
  }
}
