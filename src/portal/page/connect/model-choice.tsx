import { useState } from "react";
import { SearchField } from "../common/fields/search-field.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { protocolName } from "../vehicles/tracker-protocol.ts";
import { families, findModels } from "./models.ts";
import { type RecipeName, recipeOf } from "./recipes.ts";

interface ModelChoiceProps {
  /** Somebody waits already: it is at hand, but in nobody's way. */
  readonly isFolded: boolean;
  readonly onChoose: (chosen: { readonly name: string | null; readonly recipe: RecipeName }) => void;
}

const exampleModels = "ST-901, GT06N, FMB920, GV300 …";

/** Which tracker it is: by what stands on its box, or by its maker. */
export function ModelChoice({ isFolded, onChoose }: ModelChoiceProps) {
  const { connect: words } = useAdministrationTexts();
  const [typed, setTyped] = useState("");
  const found = findModels(typed);
  const choice = (
    <div className="model-choice column gap-3">
      <SearchField label={words.search} placeholder={exampleModels} value={typed} onChange={setTyped} />
      <div role="status">
        {found.length === 0 && typed.trim().length >= 2 && <p className="quiet">{words.notFound}</p>}
      </div>
      {found.length > 0 && (
        <ul className="model-list grid gap-2" aria-label={words.search}>
          {found.map(({ name, recipe }) => (
            <Choice key={`${name} ${recipe}`} name={name} recipe={recipe} onChoose={() => onChoose({ name, recipe })} />
          ))}
        </ul>
      )}
      <h3>{words.families}</h3>
      <ul className="model-list grid gap-2" aria-label={words.families}>
        {families.map((recipe) => (
          <Choice key={recipe} name={null} recipe={recipe} onChoose={() => onChoose({ name: null, recipe })} />
        ))}
      </ul>
    </div>
  );
  if (!isFolded) return choice;
  return (
    <details className="form-more">
      <summary>{words.search}</summary>
      {choice}
    </details>
  );
}

interface ChoiceProps {
  readonly name: string | null;
  readonly recipe: RecipeName;
  readonly onChoose: () => void;
}

function Choice({ name, recipe, onChoose }: ChoiceProps) {
  const { protocol, makers } = recipeOf(recipe);
  return (
    <li className="grid">
      <button type="button" className="model grid full box pack" onClick={onChoose}>
        <strong>{name ?? makers}</strong>
        <span className="hint">{protocolName(protocol)}</span>
      </button>
    </li>
  );
}
