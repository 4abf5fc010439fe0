import { useState } from "react";
import { type AlertType, alertKind, type Severity, severities } from "../../../domain/alert-types.ts";
import { isRequired } from "../../../domain/alerts/parameters.ts";
import { needsTimes } from "../../../domain/alerts/read-rule.ts";
import { Button } from "../common/elements/button.tsx";
import { Field, Select } from "../common/fields/field.tsx";
import { Link } from "../common/navigation/route.tsx";
import { useFences } from "../places/use-fences.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { DraftRule, NumberOf } from "./draft-rule.ts";
import { TimesFields } from "./times-fields.tsx";

interface RuleFieldsProps {
  readonly type: AlertType;
  readonly draft: DraftRule;
  readonly numberOf: NumberOf;
  /** Whether the dialog begins here. */
  readonly isFirst: boolean;
  /** Whether its fences are shown only when they are asked for. */
  readonly isFolded: boolean;
  /** Whether it was to be saved with something missing. */
  readonly wasIncomplete: boolean;
  readonly onChange: (draft: DraftRule) => void;
  /** Null: it is the only one. */
  readonly onRemove: (() => void) | null;
}

export function RuleFields(props: RuleFieldsProps) {
  const { type, draft, numberOf, isFirst, isFolded, wasIncomplete, onChange, onRemove } = props;
  const { rules: words, alerts } = useAdministrationTexts();
  const { severity: own, parameters, source } = alertKind(type);
  const isOfCrossing = source === "crossing";
  return (
    <fieldset className="rule-fields column gap-4 fit">
      <legend className="visually-hidden">{alerts.types[type]}</legend>
      <label className="rule-switch">
        <input
          type="checkbox"
          checked={draft.enabled}
          data-first-focus={isFirst || undefined}
          onChange={({ target }) => onChange({ ...draft, enabled: target.checked })}
        />
        {words.raised}
      </label>
      {draft.enabled && (
        <div className="field-row">
          <Select
            label={alerts.severity}
            value={draft.severity}
            onChange={(severity) => onChange({ ...draft, severity: severity as Severity | "" })}
            options={[
              ["", words.ownSeverity(alerts.severities[own])],
              ...severities.map((severity) => [severity, alerts.severities[severity]] as const),
            ]}
          />
          {Object.keys(parameters)
            .filter((name) => parameters[name]?.kind !== "times")
            .map((name) => (
              <ParameterField
                key={name}
                type={type}
                name={name}
                draft={draft}
                numberOf={numberOf}
                onChange={onChange}
              />
            ))}
        </div>
      )}
      {(draft.enabled || !isOfCrossing) && (
        <FenceChoice
          isRequired={isOfCrossing}
          isFolded={isFolded}
          wasIncomplete={wasIncomplete}
          chosen={draft.geofenceIds}
          onChange={(geofenceIds) => onChange({ ...draft, geofenceIds })}
        />
      )}
      {draft.enabled && (
        <TimesFields
          times={draft.times}
          isRequired={needsTimes(type)}
          wasIncomplete={wasIncomplete}
          onChange={(times) => onChange({ ...draft, times })}
        />
      )}
      {onRemove !== null && <Button look="small danger own-width" text={words.removeRule} onClick={onRemove} />}
    </fieldset>
  );
}

type ParameterProps = Pick<RuleFieldsProps, "type" | "draft" | "numberOf" | "onChange"> & { readonly name: string };

/** Vehicles with more axles are set by a fleet file. */
const axles = ["1", "2", "3", "4", "5", "6"];

function ParameterField(props: ParameterProps) {
  const { type, name, draft, numberOf, onChange } = props;
  const { rules: words, reports } = useAdministrationTexts();
  const parameter = alertKind(type).parameters[name];
  const set = (key: string, value: string) => onChange({ ...draft, texts: { ...draft.texts, [key]: value } });
  const usual = parameter?.default ?? undefined;
  switch (parameter?.kind) {
    case "choice":
      return (
        <Select
          label={words.nominalVoltage}
          value={draft.texts[name] ?? ""}
          onChange={(value) => set(name, value)}
          options={[
            ["", words.usual(`${usual} V`)],
            ...parameter.values.map((volts) => [String(volts), `${volts} V`] as const),
          ]}
        />
      );
    case "sensor":
      return (
        <Field
          label={reports.sensor}
          value={draft.texts[name] ?? ""}
          maxLength={64}
          placeholder={words.everySensor}
          autoComplete="off"
          onChange={({ target }) => set(name, target.value)}
        />
      );
    case "by_axle": {
      const hasAxles = axles.some((axle) => (draft.texts[`${name} ${axle}`] ?? "") !== "");
      return (
        <>
          <NumberField {...props} field={name} label={words.parameters[name] ?? name} isNeeded={!hasAxles} />
          <details className="rule-axles" open={hasAxles}>
            <summary>{words.byAxle}</summary>
            <div className="field-row">
              {axles.map((axle) => (
                <NumberField
                  key={axle}
                  {...props}
                  field={`${name} ${axle}`}
                  label={words.axleName(axle)}
                  isNeeded={false}
                />
              ))}
            </div>
          </details>
        </>
      );
    }
    default: {
      const label = words.parameters[name] ?? name;
      const isNeeded = parameter !== undefined && isRequired(parameter);
      return (
        <NumberField
          {...props}
          field={name}
          label={label}
          isNeeded={isNeeded}
          usual={shownUsual(usual, numberOf(name))}
        />
      );
    }
  }
}

function shownUsual(usual: number | undefined, number: ReturnType<NumberOf>): number | undefined {
  return usual === undefined ? undefined : number?.toShown(usual);
}

interface NumberFieldProps extends ParameterProps {
  /** Under which name its text is kept. */
  readonly field: string;
  readonly label: string;
  readonly isNeeded: boolean;
  /** What holds if nothing is entered. */
  readonly usual?: number | undefined;
}

function NumberField({ name, field, label, isNeeded, usual, draft, numberOf, onChange }: NumberFieldProps) {
  const { rules: words, show } = useAdministrationTexts();
  const number = numberOf(name);
  if (number === null) return null;
  const { unit, min, max } = number;
  const short = (value: number) => show.number(value, Number.isInteger(value) ? 0 : 2);
  return (
    <Field
      label={`${label} (${unit})`}
      type="number"
      step="any"
      min={min}
      max={max}
      required={isNeeded}
      placeholder={usual === undefined ? undefined : short(usual)}
      value={draft.texts[field] ?? ""}
      hint={words.bounds(short(min), short(max))}
      onChange={({ target }) => onChange({ ...draft, texts: { ...draft.texts, [field]: target.value } })}
    />
  );
}

interface FenceChoiceProps {
  /** Whether the rule says nothing without a fence. */
  readonly isRequired: boolean;
  readonly isFolded: boolean;
  readonly wasIncomplete: boolean;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Fewer are seen at a glance. */
const fewFences = 8;
const maxShown = 100;

/** So many are named; of more, the number is said. */
const maxNamed = 2;

function FenceChoice({ isRequired, isFolded, wasIncomplete, chosen, onChange }: FenceChoiceProps) {
  const { rules: words, fences: fenceTexts, show } = useAdministrationTexts();
  const fences = useFences();
  const [search, setSearch] = useState("");
  const [isOpen, setOpen] = useState(!isFolded && (isRequired || chosen.length > 0));
  // Those chosen at first come first, so that they are seen: a row must not move when its box is ticked.
  const [first] = useState(() => new Set(chosen));
  if (fences === null) return null;
  const rank = (id: string) => (first.has(id) ? 0 : 1);
  const sorted = fences.rows.toSorted(
    (one, other) => rank(one.geofence_id) - rank(other.geofence_id) || show.compare(one.name, other.name),
  );
  const wanted = search.trim().toLowerCase();
  const shown = sorted.filter(
    ({ geofence_id, name }) => chosen.includes(geofence_id) || name.toLowerCase().includes(wanted),
  );
  const toggle = (id: string, isWanted: boolean) =>
    onChange(isWanted ? [...chosen, id] : chosen.filter((other) => other !== id));
  const named = chosen.flatMap((id) => fences.byId.get(id)?.name ?? []).sort(show.compare);
  const isShort = named.length === chosen.length && named.length <= maxNamed;
  const where =
    chosen.length === 0
      ? words.everywhere
      : isShort
        ? words.onlyIn(named.join(", "))
        : words.fenceCount(chosen.length, show.number(chosen.length));
  const summary = isRequired ? [fenceTexts.title, ...(isShort ? named : [])].join(": ") : `${words.where}: ${where}`;
  const isMissing = isRequired && chosen.length === 0;
  return (
    <details className="rule-fences" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && (
        <div className="rule-fence-list grid gap-2">
          {sorted.length === 0 && (
            <p className={isMissing && wasIncomplete ? "problem" : "quiet"}>
              {words.noFences} <Link to="/fleet/fences">{words.drawFence}</Link>
            </p>
          )}
          {sorted.length > fewFences && (
            <input
              type="search"
              aria-label={fenceTexts.search}
              placeholder={fenceTexts.search}
              value={search}
              onChange={({ target }) => setSearch(target.value)}
            />
          )}
          <ul>
            {shown.slice(0, maxShown).map(({ geofence_id, name }) => (
              <li key={geofence_id}>
                <label>
                  <input
                    type="checkbox"
                    checked={chosen.includes(geofence_id)}
                    onChange={({ target }) => toggle(geofence_id, target.checked)}
                  />
                  {name}
                </label>
              </li>
            ))}
          </ul>
          {isMissing && sorted.length > 0 && <p className={wasIncomplete ? "problem" : "hint"}>{words.chooseFence}</p>}
        </div>
      )}
    </details>
  );
}
