import { type DayRange, monthOf, weekOf } from "../../domain/time/calendar.ts";
import { isEmbedded, type Reader } from "../../store/database.ts";
import type { MileageRange, ZoneDayRange } from "../../store/facts/mileage.ts";
import {
  devicesToSum,
  type MileagePeriod,
  type MileageSumRow,
  mileageSums,
  type SumGroup,
  type SummedDevice,
} from "../../store/facts/mileage-sums.ts";
import type { MileageSumsRow } from "../records/mileage-sums.ts";
import type { RouteCall } from "../route.ts";
import { addedSums, drivenSums } from "./driven-sums.ts";
import type { ListPart } from "./long-list.ts";
import { inParts, type RowsPart } from "./parts.ts";

/** Days of devices that are summed up in one turn, which takes some milliseconds. */
const daysPerTurn = 5_000;
/** A query of PostgreSQL delays no other request. */
const daysPerStatement = 150_000;
const maxDevicesPerPart = 500;

/** Trips are read one by one to say who drove. */
const drivenDaysPerTurn = 1_000;

export interface MileageQuestion extends MileageRange {
  readonly period: MileagePeriod;
  readonly group: SumGroup;
  /** Only what was driven with this driver's tag. */
  readonly driverId: string | null;
  /** The public id of the first device; null: the first that there is. */
  readonly fromDevice: string | null;
  /** How many rows are wanted at most. */
  readonly maxRows: number;
}

interface DevicesSums {
  readonly devices: readonly SummedDevice[];
  readonly sums: readonly MileageSumRow[];
}

/**
 * Sums, part by part. By device, each part has the rows of some devices, in ascending id and then time. Otherwise all rows are in the
 * last part: by tag or driver in ascending order and then time, those without one at the end.
 */
export async function* mileagePeriodParts(
  call: RouteCall,
  question: MileageQuestion,
): AsyncGenerator<ListPart<MileageSumsRow>, void, void> {
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
  const { days, period, group, driverId, fromDevice: from, maxRows } = question;
  const [{ fromDay, untilDay }] = days;
  const isDriven = group === "driver" || driverId !== null;
  const daysAtOnce = isEmbedded(database) ? (isDriven ? drivenDaysPerTurn : daysPerTurn) : daysPerStatement;
  const maxDevices = group === "device" ? Math.min(maxDevicesPerPart, maxRows) : maxDevicesPerPart;
  const count = Math.max(1, Math.min(maxDevices, Math.floor(daysAtOnce / (untilDay - fromDay))));
  const periodOf = (day: number) => periodIn(days[0], period, day).from_day;
  const sumsOf = async (reader: Reader, devices: readonly SummedDevice[]) => {
    if (devices.length === 0) return [];
    if (group === "driver" || isDriven)
      return drivenSums(reader, visibility, devices, { days, group, driverId, periodOf });
    const numbers = devices.map(({ device }) => device);
    return mileageSums(reader, visibility, numbers, { days, period, group });
  };
  return (after: string | null): Promise<RowsPart<DevicesSums, string>> =>
    read(async (reader) => {
      const devices = await devicesToSum(reader, visibility, { ...question, after, from, count });
      const sums = await sumsOf(reader, devices);
      return { rows: { devices, sums }, next: devices.length < count ? null : (devices.at(-1)?.id ?? null) };
    });
}

function rowsByDevice(
  { devices, sums }: DevicesSums,
  { period }: MileageQuestion,
  window: ZoneDayRange,
): MileageSumsRow[] {
  const byDevice = Map.groupBy(sums, ({ member }) => member);
  return devices.flatMap((device) =>
    (byDevice.get(device.device) ?? [])
      .toSorted((one, other) => one.day - other.day)
      .map(({ member: _, day, ...sum }) => ({ ...noMember, ...sum, ...periodIn(window, period, day), device })),
  );
}

const noMember = { device: null, tag: null, driver_id: null, driver_name: null } as const;

/** Sums of devices, by tag, by driver or of all. */
class Totals {
  readonly #question: MileageQuestion;
  readonly #rows = new Map<string | null, Map<number, MileageSumsRow>>();

  constructor(question: MileageQuestion) {
    this.#question = question;
  }

  add({ member, day, ...sums }: MileageSumRow): void {
    const { group, days, period } = this.#question;
    const own = periodIn(days[0], period, day);
    for (const name of membersOf(group, member)) {
      const ofMember = this.#rows.get(name) ?? new Map<number, MileageSumsRow>();
      this.#rows.set(name, ofMember);
      const known = ofMember.get(own.from_day);
      const named = group === "tag" ? { tag: name } : group === "driver" ? { driver_id: name } : {};
      ofMember.set(own.from_day, { ...noMember, ...own, ...named, ...(known ? addedSums(known, sums) : sums) });
    }
  }

  rows(): MileageSumsRow[] {
    const byMember = [...this.#rows].sort(([one], [other]) => compareMembers(one, other));
    return byMember.flatMap(([, ofMember]) =>
      [...ofMember.values()].sort((one, other) => one.from_day - other.from_day),
    );
  }
}

function membersOf(group: SumGroup, member: MileageSumRow["member"]): readonly (string | null)[] {
  if (group === "tag") return tagsIn(String(member));
  return [group === "driver" && member !== null ? String(member) : null];
}

function tagsIn(json: string): readonly (string | null)[] {
  const tags = new Set(JSON.parse(json) as string[]);
  return tags.size === 0 ? [null] : [...tags];
}

/** Those that are none come last. */
export function compareMembers(one: string | null, other: string | null): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  return one < other ? -1 : Number(one > other);
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
