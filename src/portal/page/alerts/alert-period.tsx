import { useAddress } from "../common/address.ts";
import { dayAt } from "../common/days.ts";
import { Field, Select } from "../common/field.tsx";
import { otherEnd } from "../common/period.ts";
import { useSession } from "../common/session.ts";
import { usePeriod } from "../common/use-period.ts";
import { useTexts } from "../texts/use-texts.ts";
import { maxDays } from "./use-alert-filter.ts";

/** Without a choice, the last 31 days up to now: open alerts should not get lost at midnight. */
export function AlertPeriod() {
  const { alerts: words, common } = useTexts();
  const { get, set } = useAddress();
  const period = usePeriod("week", maxDays);
  const today = dayAt(Date.now(), useSession().account.time_zone);
  const hasPeriod = get("period") !== null || get("from") !== null;
  const choose = (name: string) => {
    if (name === "days") set({ period: null, from: period.from, to: period.to });
    else set({ period: name || null, from: null, to: null });
  };
  const options = [
    ["", words.lastMonth],
    ["today", common.today],
    ["yesterday", common.yesterday],
    ["week", common.lastDays],
    ["last-week", common.lastWeek],
    ["days", common.chosenDays],
  ] as const;
  return (
    <>
      <Select label={common.period} value={hasPeriod ? period.name : ""} onChange={choose} options={options} />
      {hasPeriod && period.name === "days" && (
        <>
          <Field
            label={words.firstDay}
            type="date"
            value={period.from}
            max={today}
            onChange={({ target: { value: from } }) => from && set({ from, to: otherEnd(from, period.to, maxDays, 1) })}
          />
          <Field
            label={words.lastDay}
            type="date"
            value={period.to}
            max={today}
            onChange={({ target: { value: to } }) => to && set({ from: otherEnd(to, period.from, maxDays, -1), to })}
          />
        </>
      )}
    </>
  );
}
