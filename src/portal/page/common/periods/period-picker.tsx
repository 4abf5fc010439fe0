import { useMemo } from "react";
import { dayAt } from "../../../both-sides/periods/days.ts";
import {
  maxPeriodDays,
  otherEnd,
  type Period,
  type PeriodName,
  periodNames,
  periodOf,
  unknownPeriod,
} from "../../../both-sides/periods/period.ts";
import type { Texts } from "../../../both-sides/texts/texts.ts";
import { useTexts } from "../../texts/use-texts.ts";
import { Segmented } from "../fields/choices.tsx";
import { Notice } from "../loading/notice.tsx";
import { useAddress } from "../navigation/address.ts";
import { useNow } from "../reading/clock.ts";
import { useSession } from "../session.ts";

/** Yesterday, today, a week, a month, or chosen dates. The choice is in the address. */
export function PeriodPicker({ period }: { readonly period: Period }) {
  const { common } = useTexts();
  const { set } = useAddress();
  const today = dayAt(Date.now(), useSession().account.time_zone);
  const choose = (from: string, to: string) => set({ period: null, from, to });
  const pickFrom = (from: string) => choose(from, otherEnd(from, period.to, maxPeriodDays, 1));
  const pickTo = (to: string) => choose(otherEnd(to, period.from, maxPeriodDays, -1), to);
  return (
    <div className="period flex align-end wrap gap-2">
      <Segmented
        name="period"
        label={common.period}
        isLabelShown
        options={periodNames}
        words={periodTitles(common)}
        value={period.name}
        onChange={(name) => set({ period: name, from: null, to: null })}
      />
      <div className="flex align-end wrap gap-2">
        <DayInput label={common.from} day={period.from} max={today} onPick={pickFrom} />
        <DayInput label={common.to} day={period.to} max={today} onPick={pickTo} />
      </div>
    </div>
  );
}

export function periodTitles(common: Texts["common"]): Readonly<Record<PeriodName, string>> {
  return {
    yesterday: common.yesterday,
    today: common.today,
    week: common.lastDays,
    "last-week": common.lastWeek,
    month: common.thisMonth,
    "last-month": common.lastMonth,
    days: common.chosenDays,
  };
}

interface DayInputProps {
  readonly label: string;
  readonly day: string;
  readonly max: string;
  readonly onPick: (day: string) => void;
}

function DayInput({ label, day, max, onPick }: DayInputProps) {
  return (
    <label>
      <span className="filter-label block fine bold">{label}</span>
      <input type="date" value={day} max={max} onChange={({ target }) => target.value && onPick(target.value)} />
    </label>
  );
}

/** The period in the address, in days of the account's time zone. Changes at midnight. */
export function usePeriod(usual: PeriodName, maxDays = maxPeriodDays): Period {
  const { get } = useAddress();
  const zone = useSession().account.time_zone;
  const { weekStart } = useTexts().show;
  const today = dayAt(useNow(60_000), zone);
  const [period, from, to] = [get("period"), get("from"), get("to")];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another day is another period
  return useMemo(
    () => periodOf({ period, from, to }, { name: usual, maxDays, zone, weekStart }, Date.now()),
    [period, from, to, usual, maxDays, zone, weekStart, today],
  );
}

interface PeriodNoticeProps {
  /** What is shown instead. */
  readonly shown: string;
  readonly maxDays?: number;
}

/** An address that was typed or is from elsewhere: other days than it asks for must not look like these. */
export function PeriodNotice({ shown, maxDays = maxPeriodDays }: PeriodNoticeProps) {
  const { common } = useTexts();
  const { get } = useAddress();
  const unknown = unknownPeriod({ period: get("period"), from: get("from"), to: get("to") }, maxDays);
  return unknown === null ? null : <Notice kind="warning">{common.unknownPeriod(unknown.slice(0, 60), shown)}</Notice>;
}
