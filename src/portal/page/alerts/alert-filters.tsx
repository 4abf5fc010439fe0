import { useState } from "react";
import { alertTypes } from "../../../domain/alert-types.ts";
import { bySeverity, typeWords } from "../../both-sides/alerts/alert-words.ts";
import type { AlertCounts } from "../../both-sides/contract/alerts.ts";
import type { Severity } from "../../both-sides/contract/data.ts";
import { dayAt } from "../../both-sides/periods/days.ts";
import { otherEnd } from "../../both-sides/periods/period.ts";
import { Button } from "../common/elements/button.tsx";
import { Field, Select } from "../common/fields/field.tsx";
import { useAddress } from "../common/navigation/address.ts";
import { periodTitles, usePeriod } from "../common/periods/period-picker.tsx";
import { useSession } from "../common/session.ts";
import { TagFilter, VehicleFilter } from "../common/vehicles/vehicle-filters.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { type AlertFilter, alertStates, readAlertState, readSeverities, writeSeverities } from "./alert-filter.ts";
import { SeveritySign } from "./severity-sign.tsx";
import { maxDays } from "./use-alert-filter.ts";

interface AlertFiltersProps {
  /** How many there are of each severity, shown or not; null: not known. */
  readonly counts: AlertCounts | null;
}

/** All of them are in the address. */
export function AlertFilterFields({ counts }: AlertFiltersProps) {
  const { alerts: words, show } = useTexts();
  const { get, set } = useAddress();
  const types = alertTypes
    .map((type) => [type, typeWords(type, words)] as const)
    .sort(([, one], [, other]) => show.compare(one, other));
  const isUsual = ["state", "type", "period", "from", "vehicle", "tag"].every((name) => get(name) === null);
  const [isOpen, setOpen] = useState(!isUsual);
  return (
    <search className="filters alert-filters align-end" data-open={isOpen}>
      <SeverityChoice counts={counts} />
      <Button
        look="wide"
        className="more-filters"
        text={words.filters}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      <Select
        label={words.state}
        value={readAlertState(get("state"))}
        onChange={(state) => set({ state: state === "open" ? null : state })}
        options={alertStates.map((state) => [state, words.states[state]] as const)}
      />
      <Select
        label={words.type}
        value={get("type") ?? ""}
        onChange={(type) => set({ type: type || null })}
        options={[["", words.allTypes], ...types]}
      />
      <AlertPeriod />
      <div className="alert-vehicles flex align-start wrap gap-3">
        <VehicleFilter />
        <TagFilter />
      </div>
    </search>
  );
}

/** Three switches, so that one click shows info as well. At least one is on. */
function SeverityChoice({ counts }: AlertFiltersProps) {
  const { alerts: words, show } = useTexts();
  const { get, set } = useAddress();
  const chosen = readSeverities(get("severity"));
  const toggle = (severity: Severity): AlertFilter["severities"] =>
    chosen.includes(severity) ? chosen.filter((other) => other !== severity) : [...chosen, severity];
  return (
    <fieldset className="severity-choice flex wrap gap-2">
      <legend>{words.severity}</legend>
      {bySeverity.map((severity) => {
        const count = counts?.data[severity];
        const isLast = chosen.length === 1 && chosen[0] === severity;
        return (
          <label key={severity} className={`severity-switch severity-${severity}`}>
            <input
              type="checkbox"
              checked={chosen.includes(severity)}
              // The last one cannot be switched off: nothing would be shown.
              aria-disabled={isLast}
              onChange={() => !isLast && set({ severity: writeSeverities(toggle(severity)) })}
            />
            <SeveritySign severity={severity} />
            {words.severities[severity]}
            {count !== undefined && (
              <span className="quiet digits">
                {show.number(count)}
                {count >= (counts?.max ?? 0) && "+"}
              </span>
            )}
          </label>
        );
      })}
    </fieldset>
  );
}

/** Without a choice, the last 31 days up to now: open alerts should not get lost at midnight. */
function AlertPeriod() {
  const { alerts: words, common } = useTexts();
  const { get, set } = useAddress();
  const period = usePeriod("week", maxDays);
  const today = dayAt(Date.now(), useSession().account.time_zone);
  const hasPeriod = get("period") !== null || get("from") !== null;
  const choose = (name: string) => {
    if (name === "days") set({ period: null, from: period.from, to: period.to });
    else set({ period: name || null, from: null, to: null });
  };
  const titles = periodTitles(common);
  const named = (["today", "yesterday", "week", "last-week", "month", "last-month", "days"] as const).map(
    (name) => [name, titles[name]] as const,
  );
  const options = [["", words.lastMonth] as const, ...named];
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
