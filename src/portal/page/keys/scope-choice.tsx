import type { ScopeWords } from "../api/portal-records.ts";
import { useTexts } from "../texts/use-texts.ts";

interface ScopeChoiceProps {
  readonly scopes: readonly ScopeWords[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly problem?: string | undefined;
}

/** The scopes of the key, with what each grants. None is chosen in advance: a key should have only what it needs. */
export function ScopeChoice({ scopes, chosen, onChange, problem }: ScopeChoiceProps) {
  const { keys: words } = useTexts();
  const isAll = chosen.length === scopes.length;
  const toggle = (scope: string, isWanted: boolean) =>
    onChange(isWanted ? [...chosen, scope] : chosen.filter((other) => other !== scope));
  return (
    <fieldset className="scopes">
      <legend>{words.whatItReads}</legend>
      <button
        type="button"
        className="link-button scopes-all"
        onClick={() => onChange(isAll ? [] : scopes.map(({ scope }) => scope))}
      >
        {isAll ? words.chooseNone : words.chooseAll}
      </button>
      <div className="scope-grid">
        {scopes.map(({ scope, grants }) => (
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
              <small>{words.scopeWords[scope] ?? grants}</small>
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
