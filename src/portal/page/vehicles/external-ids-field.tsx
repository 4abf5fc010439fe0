import { Icon } from "../common/icon.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { ExternalId } from "./vehicle-form.ts";

interface ExternalIdsProps {
  readonly ids: readonly ExternalId[];
  readonly problem: string | undefined;
  readonly onChange: (ids: readonly ExternalId[]) => void;
}

/** What the vehicle is called elsewhere: a name of a system and an id in each row. */
export function ExternalIdsField({ ids, problem, onChange }: ExternalIdsProps) {
  const { vehicles: words } = useAdministrationTexts();
  const change = (index: number, changed: Partial<ExternalId>) =>
    onChange(ids.map((each, at) => (at === index ? { ...each, ...changed } : each)));
  return (
    <fieldset className="form-part">
      <legend>{words.externalIds}</legend>
      <p className="hint">{words.externalIdsHint}</p>
      {ids.map(({ system, id }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have nothing else that stays while they are typed
        <div key={index} className="id-row">
          <input
            aria-label={words.system}
            placeholder={words.system}
            maxLength={64}
            value={system}
            onChange={({ target }) => change(index, { system: target.value })}
          />
          <input
            aria-label={words.idThere}
            placeholder={words.idThere}
            maxLength={200}
            value={id}
            onChange={({ target }) => change(index, { id: target.value })}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={system.trim() === "" ? words.removeIdRow : words.removeId(system)}
            onClick={() => onChange(ids.filter((_, at) => at !== index))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <button
        type="button"
        className="button button-small button-own-width"
        onClick={() => onChange([...ids, { system: "", id: "" }])}
      >
        <Icon name="plus" />
        {words.addId}
      </button>
    </fieldset>
  );
}
