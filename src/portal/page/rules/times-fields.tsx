import { useState } from "react";
import { type Weekday, weekdays } from "../../../domain/alerts/rule-times.ts";
import { Button, IconButton } from "../common/elements/button.tsx";
import { Field } from "../common/fields/field.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { type DraftTimes, type DraftTimesPart, newDate, newPart, timesOfDraft, withDay } from "./draft-times.ts";
import { timesWords, weekdayName } from "./times-words.ts";

interface TimesFieldsProps {
  readonly times: DraftTimes;
  /** Whether the alert is raised only within times. */
  readonly isRequired: boolean;
  /** Whether it was to be saved with something missing. */
  readonly wasIncomplete: boolean;
  readonly onChange: (times: DraftTimes) => void;
}

/** When a rule holds: on which days, from when to when, and on which dates all day. */
export function TimesFields({ times, isRequired, wasIncomplete, onChange }: TimesFieldsProps) {
  const { rules, show } = useAdministrationTexts();
  const { times: words } = rules;
  const [isOpen, setOpen] = useState(isRequired || times.parts.length + times.dates.length > 0);
  const { parts, dates } = times;
  const set = timesOfDraft(times);
  const summary = set === null ? words.incomplete : set === "always" ? words.always : timesWords(set, show, words);
  return (
    <details className="rule-times" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{`${words.title}: ${set === "always" && isRequired ? words.missing : summary}`}</summary>
      <div className="rule-times-parts column gap-3 fit">
        {parts.map((part, index) => (
          <PartFields
            key={part.key}
            part={part}
            number={show.number(index + 1)}
            onChange={(changed) => onChange({ ...times, parts: parts.with(index, changed) })}
            onRemove={() => onChange({ ...times, parts: parts.toSpliced(index, 1) })}
          />
        ))}
        {dates.map((date, index) => (
          <div key={date.key} className="rule-date grid align-end gap-3">
            <Field
              label={words.date}
              type="date"
              value={date.day}
              onChange={({ target }) =>
                onChange({ ...times, dates: dates.with(index, { ...date, day: target.value }) })
              }
            />
            <IconButton
              icon="close"
              label={words.removeDate(date.day === "" ? "" : show.day(date.day))}
              onClick={() => onChange({ ...times, dates: dates.toSpliced(index, 1) })}
            />
          </div>
        ))}
        <div className="button-row">
          <Button
            look="small"
            icon="plus"
            text={words.addPart}
            onClick={() => onChange({ ...times, parts: [...parts, newPart(parts)] })}
          />
          <Button
            look="small"
            icon="plus"
            text={words.addDate}
            onClick={() => onChange({ ...times, dates: [...dates, newDate()] })}
          />
        </div>
        {isRequired && set === "always" && wasIncomplete && <p className="problem">{words.needsTimes}</p>}
        <p className="hint">{words.hint(show.zone)}</p>
      </div>
    </details>
  );
}

interface PartFieldsProps {
  readonly part: DraftTimesPart;
  readonly number: string;
  readonly onChange: (part: DraftTimesPart) => void;
  readonly onRemove: () => void;
}

function PartFields({ part, number, onChange, onRemove }: PartFieldsProps) {
  const { rules, show } = useAdministrationTexts();
  const { times: words } = rules;
  const { days, from, until } = part;
  const isNextDay = from !== "" && until !== "" && until <= from;
  return (
    <fieldset className="rule-part column gap-3 fit">
      <legend className="visually-hidden">{words.part(number)}</legend>
      <fieldset className="rule-days row wrap gap-2 fit">
        <legend className="visually-hidden">{words.days}</legend>
        {inOrder(show.weekStart).map((day) => (
          <button
            key={day}
            type="button"
            className="chip"
            aria-pressed={days.includes(day)}
            title={weekdayName(day, show, "long")}
            onClick={() => onChange({ ...part, days: withDay(days, day, !days.includes(day)) })}
          >
            {weekdayName(day, show, "short")}
          </button>
        ))}
        {days.length === 0 && <span className="problem">{words.chooseDay}</span>}
      </fieldset>
      <div className="rule-hours grid align-end gap-3">
        <Field
          label={words.from}
          type="time"
          required
          value={from}
          onChange={({ target }) => onChange({ ...part, from: target.value })}
        />
        <Field
          label={isNextDay ? words.untilNextDay : words.until}
          type="time"
          required
          value={until}
          onChange={({ target }) => onChange({ ...part, until: target.value })}
        />
        <IconButton icon="close" label={words.removePart(number)} onClick={onRemove} />
      </div>
    </fieldset>
  );
}

/** As the person's week begins. */
function inOrder(weekStart: 0 | 1 | 6): readonly Weekday[] {
  const first = (weekStart + 6) % 7;
  return [...weekdays.slice(first), ...weekdays.slice(0, first)];
}
