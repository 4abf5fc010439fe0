import { useMemo } from "react";
import type { DevicesById } from "../../both-sides/vehicles/devices.ts";
import { Button } from "../common/elements/button.tsx";
import { CheckList } from "../common/fields/check-list.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface VehicleChoiceProps {
  readonly devices: DevicesById | null;
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** With fewer vehicles, a search is more trouble than looking. */
const searchFrom = 9;

/** Which vehicles the fence is for: all, those with a tag, or one by one. */
export function VehicleChoice({ devices, chosen, onChange }: VehicleChoiceProps) {
  const { fences: words, vehicles, common, show } = useAdministrationTexts();
  const all = useMemo(() => [...(devices?.values() ?? [])], [devices]);
  const items = useMemo(() => all.map(({ device_id: id, name, plate }) => ({ id, name, detail: plate ?? "" })), [all]);
  const idsByTag = useMemo(() => {
    const tagged = all.flatMap(({ device_id, tags }) => tags.map((tag) => ({ tag, device_id })));
    return [...Map.groupBy(tagged, ({ tag }) => tag)]
      .map(([tag, rows]) => ({ tag, ids: new Set(rows.map(({ device_id }) => device_id)) }))
      .sort((one, other) => show.compare(one.tag, other.tag));
  }, [all, show]);
  const put = (ids: ReadonlySet<string>, isIn: boolean) => onChange(isIn ? chosen.union(ids) : chosen.difference(ids));
  const allIds = new Set(items.map(({ id }) => id));
  return (
    <fieldset className="vehicle-choice column gap-3 pack">
      <legend>{vehicles.title}</legend>
      <p className="hint" aria-live="polite">
        {words.chosen(show.number(allIds.intersection(chosen).size), show.number(all.length))}
      </p>
      <div className="button-row">
        <Button look="small" text={common.all} onClick={() => put(allIds, true)} />
        <Button look="small" text={words.noneChosen} onClick={() => onChange(new Set())} />
      </div>
      {idsByTag.length > 0 && (
        <fieldset className="flex wrap gap-2">
          <legend className="visually-hidden">{words.byTag}</legend>
          {idsByTag.map(({ tag, ids }) => {
            const isAll = ids.isSubsetOf(chosen);
            return (
              <button key={tag} type="button" className="chip" aria-pressed={isAll} onClick={() => put(ids, !isAll)}>
                {tag}
                <span className="chip-count quiet">{show.number(ids.size)}</span>
              </button>
            );
          })}
        </fieldset>
      )}
      <CheckList
        items={items}
        chosen={chosen}
        onToggle={(ids, isWanted) => put(new Set(ids), isWanted)}
        searchLabel={words.searchVehicles}
        searchFrom={searchFrom}
      />
      <p className="hint">{words.noneByItself}</p>
    </fieldset>
  );
}
