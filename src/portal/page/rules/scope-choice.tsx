import { useId } from "react";
import { FindOne, maxListed } from "../common/find-one.tsx";
import { useDevices, useVehiclesByName } from "../common/use-devices.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { SharedRules } from "./rules-api.ts";

interface ScopeChoiceProps {
  readonly id: string;
  readonly shared: SharedRules | null;
  readonly onChoose: (id: string) => void;
}

/** Whose rules the page shows: all vehicles, those with a tag, or one. */
export function ScopeChoice({ id, shared, onChoose }: ScopeChoiceProps) {
  const { rules: words, vehicles: vehicleTexts, common, show } = useAdministrationTexts();
  const devices = useDevices();
  const fieldId = useId();
  const vehicles = useVehiclesByName();
  const own = new Set(shared?.device_ids);
  const ruled = new Set(shared?.data.filter(({ rules }) => rules.length > 0).map((record) => record.id));
  const marked = (name: string, hasRules: boolean) => (hasRules ? words.withRules(name) : name);
  const tags = (shared?.tags ?? []).toSorted((one, other) => show.compare(one.tag, other.tag));
  const chosen = devices?.get(id);
  const isLong = vehicles.length > maxListed;
  return (
    <div className="rules-scope">
      <div className="field">
        <label htmlFor={fieldId}>{words.whom}</label>
        <select id={fieldId} value={id} onChange={({ target }) => onChoose(target.value)}>
          <option value="all">{marked(common.allVehicles, ruled.has("all"))}</option>
          {tags.length > 0 && (
            <optgroup label={common.tags}>
              {tags.map(({ tag }) => (
                <option key={tag} value={`tag:${tag}`}>
                  {marked(tag, ruled.has(`tag:${tag}`))}
                </option>
              ))}
            </optgroup>
          )}
          <optgroup label={vehicleTexts.title}>
            {(isLong ? vehicles.filter(({ device_id }) => own.has(device_id)).slice(0, maxListed) : vehicles).map(
              ({ device_id, name }) => (
                <option key={device_id} value={device_id}>
                  {marked(name, own.has(device_id))}
                </option>
              ),
            )}
            {isLong && chosen && !own.has(id) && <option value={id}>{chosen.name}</option>}
            {devices === null && id !== "all" && !id.startsWith("tag:") && <option value={id}>…</option>}
          </optgroup>
        </select>
      </div>
      {isLong && (
        <div className="field">
          <label htmlFor={`${fieldId}-find`}>{common.vehicle}</label>
          <FindOne
            id={`${fieldId}-find`}
            placeholder={common.nameOrPlate}
            options={vehicles.map(({ device_id, name, plate }) => [device_id, name, plate] as const)}
            onFound={onChoose}
          />
        </div>
      )}
    </div>
  );
}
