import type { TrackerProtocol } from "../../../domain/tracker-protocols.ts";
import type { SubAccount } from "../../both-sides/contract/people.ts";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import type { Show } from "../../both-sides/reading/show.ts";
import type { AdministrationTexts } from "../../both-sides/texts/texts.ts";
import { Button, IconButton } from "../common/elements/button.tsx";
import { CheckList } from "../common/fields/check-list.tsx";
import { ChoiceList } from "../common/fields/choices.tsx";
import { Select } from "../common/fields/field.tsx";
import { Notice } from "../common/loading/notice.tsx";
import type { ConflictFields } from "../fleet/conflict-parts.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { TagField } from "./tag-field.tsx";
import { protocolName, protocolOptions } from "./tracker-protocol.ts";
import { type ExternalId, fieldName, type TypedField, type VehicleForm, vehicleLineOf } from "./vehicle-form.ts";
import { VehicleInput } from "./vehicle-input.tsx";
import { type VehicleStatus, vehicleStatuses } from "./vehicle-records.ts";

interface VehicleFieldsProps {
  readonly form: VehicleForm;
  readonly isNew: boolean;
  /** Whether it is added because its tracker called. */
  readonly isCalling: boolean;
  readonly storedImei: string;
  readonly problems: Readonly<Record<string, string>>;
  readonly people: readonly SubAccount[];
  readonly knownTags: readonly string[];
  readonly onChange: (changed: Partial<VehicleForm>) => void;
  readonly onLeft: (field: string) => void;
}

/** The fields of a vehicle. What everybody needs comes first. */
export function VehicleFields(props: VehicleFieldsProps) {
  const { form, isNew, isCalling, storedImei, problems, people, knownTags, onChange, onLeft } = props;
  const { vehicles: words } = useAdministrationTexts();
  const field = (name: TypedField, isFirst = false) => (
    <VehicleInput
      name={name}
      value={form[name]}
      problem={problems[name]}
      onChange={(value) => onChange({ [name]: value })}
      onBlur={() => onLeft(name)}
      {...(isFirst && { "data-first-focus": true })}
    />
  );
  // Of a new one they are hardly ever known, unless its tracker has called.
  const isTrackerKnown = !isNew || isCalling;
  const trackerFields = (
    <>
      {field("tracker_clock")}
      <div className="field-row">
        {field("tracker_id")}
        <Select
          label={words.trackerProtocol}
          name="tracker_protocol"
          value={form.tracker_protocol}
          options={protocolOptions(words.anyProtocol)}
          problem={problems.tracker_protocol}
          onChange={(tracker_protocol) => onChange({ tracker_protocol })}
        />
      </div>
    </>
  );
  return (
    <>
      <div className="field-row">
        {field("name", true)}
        {field("plate")}
      </div>
      <div className="field-row">
        {field("imei")}
        {field("tracker_model")}
      </div>
      {isTrackerKnown && trackerFields}
      {!isNew && form.imei !== storedImei && <Notice kind="info">{words.imeiChanges}</Notice>}
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
            {field("vehicle_make")}
            {field("vehicle_model")}
          </div>
          <div className="field-row">
            {field("vehicle_year")}
            {field("vehicle_type")}
          </div>
          <div className="field-row">
            {field("vin")}
            {field("fuel_tank_capacity_l")}
          </div>
          {!isTrackerKnown && trackerFields}
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

interface ExternalIdsProps {
  readonly ids: readonly ExternalId[];
  readonly problem: string | undefined;
  readonly onChange: (ids: readonly ExternalId[]) => void;
}

/** What the vehicle is called elsewhere: a name of a system and an id in each row. */
function ExternalIdsField({ ids, problem, onChange }: ExternalIdsProps) {
  const { vehicles: words } = useAdministrationTexts();
  const input = (index: number, part: keyof ExternalId, label: string, maxLength: number) => (
    <input
      aria-label={label}
      placeholder={label}
      maxLength={maxLength}
      value={ids[index]?.[part]}
      onChange={({ target }) =>
        onChange(ids.map((each, at) => (at === index ? { ...each, [part]: target.value } : each)))
      }
    />
  );
  return (
    <fieldset className="form-part">
      <legend>{words.externalIds}</legend>
      <p className="hint">{words.externalIdsHint}</p>
      {ids.map(({ system }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have nothing else that stays while they are typed
        <div key={index} className="id-row grid gap-2">
          {input(index, "system", words.system, 64)}
          {input(index, "id", words.idThere, 200)}
          <IconButton
            icon="close"
            label={system.trim() === "" ? words.removeIdRow : words.removeId(system)}
            onClick={() => onChange(ids.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <Button
        look="small own-width"
        icon="plus"
        text={words.addId}
        onClick={() => onChange([...ids, { system: "", id: "" }])}
      />
    </fieldset>
  );
}

interface FieldContext {
  readonly words: AdministrationTexts["vehicles"];
  readonly show: Show;
  readonly people: readonly SubAccount[];
}

export function vehicleFields(opened: Partial<FleetVehicle>, { words, show, people }: FieldContext): ConflictFields {
  const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);
  const nameOf = (id: string) => people.find(({ user_id }) => user_id === id)?.name ?? id;
  return {
    opened: vehicleLineOf(opened),
    fieldName: (field) => fieldName(field, words, show.volumeUnit),
    fieldValue: (field, value) => {
      switch (field) {
        case "status":
          return words.status[value as VehicleStatus];
        case "fuel_tank_capacity_l":
          return value === null ? undefined : show.number(Math.round(show.volumeIn(Number(value)) * 10) / 10);
        case "tracker_protocol":
          return value === null ? undefined : protocolName(value as TrackerProtocol);
        case "tags":
          return listOf(value).join(", ");
        case "user_ids":
          return value === null ? words.onlyOwner : listOf(value).map(nameOf).join(", ");
        default:
          return undefined;
      }
    },
  };
}

interface StatusChoiceProps {
  readonly value: VehicleStatus | null;
  readonly onChange: (status: VehicleStatus) => void;
}

export function StatusChoice(props: StatusChoiceProps) {
  const { vehicles: words } = useAdministrationTexts();
  const choices = vehicleStatuses.map((status) => [status, words.status[status], words.statusWhat[status]] as const);
  return <ChoiceList legend={words.statusColumn} choices={choices} hint={words.statusHint} {...props} />;
}

interface PeopleChoiceProps {
  readonly people: readonly SubAccount[];
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

export function PeopleChoice({ people, chosen, onChange }: PeopleChoiceProps) {
  const { vehicles: words } = useAdministrationTexts();
  if (people.length === 0) return <p className="quiet">{words.noSubAccounts}</p>;
  return (
    <CheckList
      items={people.map(({ user_id, name, email }) => ({ id: user_id, name, detail: email }))}
      chosen={new Set(chosen)}
      onToggle={([id = ""], isWanted) => onChange(isWanted ? [...chosen, id] : chosen.filter((other) => other !== id))}
      searchLabel={words.findPerson}
      searchFrom={9}
    />
  );
}
