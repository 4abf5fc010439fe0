import { Field } from "../common/field.tsx";
import { Notice } from "../common/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface EraseConfirmationProps {
  readonly name: string;
  readonly typed: string;
  readonly onType: (typed: string) => void;
}

/** What cannot be undone asks once, by the vehicle's name. */
export function EraseConfirmation({ name, typed, onType }: EraseConfirmationProps) {
  const { vehicles: words, fleet } = useAdministrationTexts();
  return (
    <>
      <Notice kind="warning">
        <strong>{fleet.cannotUndo}</strong>
      </Notice>
      <Field
        label={words.typeName(name)}
        value={typed}
        autoComplete="off"
        onChange={({ target }) => onType(target.value)}
      />
    </>
  );
}

/** As somebody reads it off and types it. */
export function isSameName(name: string, typed: string): boolean {
  const plain = (text: string) => text.trim().replaceAll(/\s+/g, " ").toLowerCase();
  return plain(name) === plain(typed);
}
