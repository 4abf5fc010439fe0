import { type KeyboardEvent, useState } from "react";
import { Icon } from "../common/elements/icon.tsx";
import { FieldFrame } from "../common/fields/field.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface TagFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
  readonly tags: readonly string[];
  /** Those that the fleet has, to choose from. */
  readonly known: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
  /** Where they are not called tags. */
  readonly words?: { readonly newTag: string; readonly removeTag: (tag: string) => string };
}

/** The server refuses more. */
const maxTagLength = 64;

/** Tags as chips with a cross each, and an input for the next. What was typed counts without Enter, too. */
export function TagField({ label, hint, problem, tags, known, onChange, words: own }: TagFieldProps) {
  const { vehicles } = useAdministrationTexts();
  const words = own ?? vehicles;
  const [typed, setTyped] = useState("");
  const add = (text: string) => {
    const tag = text.trim();
    setTyped("");
    if (tag !== "" && !tags.includes(tag)) onChange([...tags, tag]);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && typed.trim() !== "") {
      event.preventDefault();
      add(typed);
    } else if (event.key === "Backspace" && typed === "" && tags.length > 0) onChange(tags.slice(0, -1));
  };
  return (
    <FieldFrame {...{ label, hint, problem }}>
      {(attributes) => (
        <div className="tag-field flex wrap gap-2">
          {tags.map((tag) => (
            <button
              key={tag}
              type="button"
              className="chip"
              aria-label={words.removeTag(tag)}
              onClick={() => onChange(tags.filter((other) => other !== tag))}
            >
              {tag}
              <Icon name="close" />
            </button>
          ))}
          <input
            {...attributes}
            value={typed}
            list={`${attributes.id}-known`}
            maxLength={maxTagLength}
            autoComplete="off"
            placeholder={words.newTag}
            onChange={({ target }) => (known.includes(target.value) ? add(target.value) : setTyped(target.value))}
            onKeyDown={onKey}
            onBlur={() => add(typed)}
          />
          <datalist id={`${attributes.id}-known`}>
            {known
              .filter((tag) => !tags.includes(tag))
              .map((tag) => (
                <option key={tag} value={tag} />
              ))}
          </datalist>
        </div>
      )}
    </FieldFrame>
  );
}
