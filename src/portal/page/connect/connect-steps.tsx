import { useCallback, useEffect, useRef, useState } from "react";
import type { TrackerAddress } from "../../both-sides/contract/trackers.ts";
import { Button } from "../common/elements/button.tsx";
import { SearchField } from "../common/fields/search-field.tsx";
import { LoadState } from "../common/loading/notice.tsx";
import { useAnswer } from "../common/loading/use-load.ts";
import { useAddress } from "../common/navigation/address.ts";
import { focusStep, SetupStep } from "../setup/step.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { protocolName } from "../vehicles/tracker-protocol.ts";
import { ConfigLines } from "./config-lines.tsx";
import { ExpectedTrackers } from "./expected-trackers.tsx";
import { IdentityForm, identityName, type TypedIdentity } from "./identity-form.tsx";
import { findModels, recipeFamilies } from "./models.ts";
import { type RecipeName, recipeIn, recipeOf } from "./recipes.ts";
import { Waiting } from "./waiting.tsx";

const noIdentity: TypedIdentity = { imei: "", id: "" };

interface ConnectStepsProps {
  /** Whether the person has just said that they have a tracker: which one comes next. */
  readonly isBegun: boolean;
}

/** Leads from a tracker in the hand to a vehicle on the map. The address holds how far it has come. */
export function ConnectSteps({ isBegun }: ConnectStepsProps) {
  const { connect: words } = useAdministrationTexts();
  const { get, set } = useAddress();
  const loading = useAnswer("GET /fleet/tracker-address");
  const server = loading.loaded.data?.data ?? null;
  const recipe = recipeIn(get("recipe"));
  const model = get("model");
  const entered: TypedIdentity = { imei: get("imei") ?? "", id: get("id") ?? "" };
  const isWaiting = identityName(entered) !== "";
  const [typed, setTyped] = useState(entered);
  const choose = useCallback(
    (chosen: { readonly name: string | null; readonly recipe: RecipeName } | null) => {
      set({ recipe: chosen?.recipe ?? null, model: chosen?.name ?? null });
      focusStep(chosen === null ? 1 : 2);
    },
    [set],
  );
  const wait = (identity: TypedIdentity) => {
    setTyped(identity);
    set({ imei: identity.imei || null, id: identity.id || null });
    focusStep(4);
  };
  const enterAgain = (identity: TypedIdentity) => {
    setTyped(identity);
    set({ imei: null, id: null });
    focusStep(3);
  };
  const linesOf = (chosen: RecipeName, at: TrackerAddress) => (
    <ConfigLines key={`${chosen} ${model}`} recipe={recipeOf(chosen)} model={model} server={at} />
  );
  return (
    <div className="connect column gap-5">
      <LoadState {...loading} />
      {server !== null && (
        <ol className="column gap-4">
          <SetupStep number={1} title={words.modelStep} state={recipe === null && !isWaiting ? "current" : "done"}>
            {recipe !== null ? (
              <p className="row wrap gap-2-4 break">
                <strong>{shownModel(model, recipe)}</strong>
                <Button look="small" text={words.other} onClick={() => choose(null)} />
              </p>
            ) : (
              <ModelChoice isFolded={isWaiting} isFirst={isBegun} onChoose={choose} />
            )}
          </SetupStep>
          <SetupStep number={2} title={words.linesStep} state={stateOf(recipe !== null || isWaiting, isWaiting)}>
            {recipe !== null &&
              (isWaiting ? (
                <details className="form-more">
                  <summary>{words.showLines}</summary>
                  {linesOf(recipe, server)}
                </details>
              ) : (
                linesOf(recipe, server)
              ))}
          </SetupStep>
          <SetupStep number={3} title={words.identityStep} state={stateOf(recipe !== null || isWaiting, isWaiting)}>
            {isWaiting ? (
              <p className="row wrap gap-2-4 break">
                <code>{identityName(entered)}</code>
                <Button look="small" text={words.changeIdentity} onClick={() => enterAgain(entered)} />
              </p>
            ) : (
              recipe !== null && <IdentityForm recipe={recipeOf(recipe)} typed={typed} onEntered={wait} />
            )}
          </SetupStep>
          <SetupStep number={4} title={words.waitStep} state={isWaiting ? "current" : "later"}>
            {isWaiting && (
              <Waiting
                key={identityName(entered)}
                identity={entered}
                recipe={recipe}
                model={model}
                server={server}
                onOther={wait}
                onRecipe={(name) => choose({ name: model, recipe: name })}
                onAnother={() => enterAgain(noIdentity)}
              />
            )}
          </SetupStep>
        </ol>
      )}
      {!isWaiting && <ExpectedTrackers />}
    </div>
  );
}

function stateOf(isReached: boolean, isDone: boolean): "done" | "current" | "later" {
  return isDone ? "done" : isReached ? "current" : "later";
}

function shownModel(model: string | null, recipe: RecipeName): string {
  const { protocol, makers } = recipeOf(recipe);
  return `${model ?? makers} (${protocolName(protocol)})`;
}

interface ModelChoiceProps {
  /** A person waits already: it is at hand, but not in the way. */
  readonly isFolded: boolean;
  readonly isFirst: boolean;
  readonly onChoose: (chosen: { readonly name: string | null; readonly recipe: RecipeName }) => void;
}

const exampleModels = "ST-901, GT06N, FMB920, GV300 …";

/** Which tracker it is: by what stands on its box, or by its maker. */
function ModelChoice({ isFolded, isFirst, onChoose }: ModelChoiceProps) {
  const { connect: words } = useAdministrationTexts();
  const [typed, setTyped] = useState("");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFirst) box.current?.querySelector("input")?.focus();
  }, [isFirst]);
  const found = findModels(typed);
  const choice = (
    <div ref={box} className="model-choice column gap-3">
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
        {recipeFamilies.map((recipe) => (
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
