import type { SubAccount } from "../api/portal-records.ts";
import { Field } from "../common/field.tsx";
import { Notice } from "../common/notice.tsx";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { ExternalIdsField } from "./external-ids-field.tsx";
import { PeopleChoice } from "./people-choice.tsx";
import { StatusChoice } from "./status-choice.tsx";
import { TagField } from "./tag-field.tsx";
import type { VehicleForm } from "./vehicle-form.ts";

interface VehicleFieldsProps {
  readonly form: VehicleForm;
  readonly isNew: boolean;
  readonly storedImei: string;
  readonly problems: Readonly<Record<string, string>>;
  readonly people: readonly SubAccount[];
  readonly knownTags: readonly string[];
  readonly onChange: (changed: Partial<VehicleForm>) => void;
  readonly onLeft: (field: string) => void;
}

type TextField = {
  [Name in keyof VehicleForm]: VehicleForm[Name] extends string ? Name : never;
}[keyof VehicleForm];

/** The fields of a vehicle. What everybody needs comes first. */
export function VehicleFields(props: VehicleFieldsProps) {
  const { form, isNew, storedImei, problems, people, knownTags, onChange, onLeft } = props;
  const { vehicles: words } = useAdministrationTexts();
  const show = useShow();
  const text = (name: TextField, label: string, maxLength: number) => ({
    label,
    name,
    maxLength,
    value: form[name],
    autoComplete: "off",
    problem: problems[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
    onBlur: () => onLeft(name),
  });
  const hasOtherTracker = !isNew && form.imei !== storedImei;
  return (
    <>
      <div className="field-row">
        <Field {...text("name", words.name, 200)} required data-first-focus placeholder={words.namePlaceholder} />
        <Field {...text("plate", words.plate, 32)} />
      </div>
      <div className="field-row">
        <Field {...text("imei", words.imei, 24)} required inputMode="numeric" hint={words.imeiHint} />
        <Field {...text("tracker_model", words.trackerModel, 100)} />
      </div>
      {hasOtherTracker && <Notice kind="info">{words.imeiChanges}</Notice>}
      <TagField
        label={words.tags}
        hint={words.tagsHint}
        problem={problems.tags}
        tags={form.tags}
        known={knownTags}
        onChange={(tags) => onChange({ tags })}
      />
      <fieldset className="form-part">
        <legend>{words.seenByTitle}</legend>
        <p className="hint">{words.seenByHint}</p>
        <PeopleChoice people={people} chosen={form.user_ids} onChange={(user_ids) => onChange({ user_ids })} />
        {problems.user_ids !== undefined && <p className="problem">{problems.user_ids}</p>}
      </fieldset>
      <StatusChoice value={form.status} onChange={(status) => onChange({ status })} />
      <details className="form-more" open={!isNew}>
        <summary>{words.about}</summary>
        <div className="form-part">
          <div className="field-row">
            <Field {...text("vehicle_make", words.make, 100)} />
            <Field {...text("vehicle_model", words.model, 100)} />
          </div>
          <div className="field-row">
            <Field {...text("vehicle_year", words.year, 4)} inputMode="numeric" />
            <Field {...text("vehicle_type", words.kind, 100)} placeholder={words.kindPlaceholder} />
          </div>
          <div className="field-row">
            <Field {...text("vin", words.vin, 32)} />
            <Field
              {...text("fuel_tank_capacity_l", words.tank(show.volumeUnit), 12)}
              inputMode="decimal"
              hint={words.tankHint}
            />
          </div>
          <ExternalIdsField
            ids={form.external_ids}
            problem={problems.external_ids}
            onChange={(external_ids) => onChange({ external_ids })}
          />
        </div>
      </details>
    </>
  );
}
