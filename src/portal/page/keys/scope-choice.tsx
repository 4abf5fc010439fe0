import { allScopes, type Scope } from "../../../domain/scopes.ts";
import { useTexts } from "../texts/use-texts.ts";

interface ScopeChoiceProps {
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
  readonly problem?: string | undefined;
}

/** The scopes of the key, with what each grants. None is chosen in advance: a key should have only what it needs. */
export function ScopeChoice({ chosen, onChange, problem }: ScopeChoiceProps) {
  const { keys: words } = useTexts();
  const isAll = chosen.length === allScopes.length;
  const toggle = (scope: Scope, isWanted: boolean) =>
    onChange(isWanted ? [...chosen, scope] : chosen.filter((other) => other !== scope));
  return (
    <fieldset className="scopes">
      <legend>{words.whatItReads}</legend>
      <button type="button" className="link-button scopes-all" onClick={() => onChange(isAll ? [] : allScopes)}>
        {isAll ? words.chooseNone : words.chooseAll}
      </button>
      <div className="scope-grid">
        {allScopes.map((scope) => (
          <label key={scope} className="scope">
            <input
              type="checkbox"
              name="scope"
              value={scope}
              checked={chosen.includes(scope)}
              onChange={(event) => toggle(scope, event.target.checked)}
            />
            <span>
              <code>{scope}</code>
              <small>{words.scopeWords[scope]}</small>
            </span>
          </label>
        ))}
      </div>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
