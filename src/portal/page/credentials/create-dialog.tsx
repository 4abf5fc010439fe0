import { type ReactNode, useState } from "react";
import { FormDialog, useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Field } from "../common/fields/field.tsx";
import { fieldProblems } from "../common/loading/error-words.ts";
import { Notice } from "../common/loading/notice.tsx";
import { useTexts } from "../texts/use-texts.ts";

export interface CreateProps<Made> {
  readonly onClose: () => void;
  readonly onMade: (made: Made) => void;
}

interface CreateDialogProps<Made> extends CreateProps<Made> {
  readonly words: {
    readonly create: string;
    readonly whichSystem: string;
    readonly shownOnce: string;
    readonly createIt: string;
  };
  readonly wide?: boolean;
  /** The name to begin with. */
  readonly firstName?: string | undefined;
  /** What sends it; null: something is missing, which the form says. */
  readonly creationOf: (name: string, form: HTMLFormElement) => (() => Promise<Made>) | null;
  readonly fields?: (problems: Readonly<Record<string, string>>) => ReactNode;
}

/** As the server takes it. */
const maxNameLength = 100;

export function CreateDialog<Made>(props: CreateDialogProps<Made>) {
  const { words, wide = false, firstName = "", creationOf, fields, ...then } = props;
  const texts = useTexts();
  const { common, credentials, show } = texts;
  const [name, setName] = useState(firstName.slice(0, maxNameLength));
  const { submit, error, isBusy } = useSubmit();
  const problems = fieldProblems(error, texts);
  return (
    <FormDialog
      title={words.create}
      wide={wide}
      onClose={then.onClose}
      error={Object.keys(problems).length === 0 ? error : null}
      isBusy={isBusy}
      words={[words.createIt, credentials.creating]}
      onSubmit={(event) => {
        event.preventDefault();
        const create = creationOf(name.trim(), event.currentTarget);
        if (create !== null) void submit(async () => then.onMade(await create()));
      }}
    >
      <Field
        label={common.name}
        name="name"
        required
        data-first-focus
        maxLength={maxNameLength}
        value={name}
        onChange={({ target }) => setName(target.value)}
        placeholder={words.whichSystem}
        hint={
          name.length > maxNameLength * 0.8 ? credentials.nameLeft(show.number(maxNameLength - name.length)) : undefined
        }
        autoComplete="off"
        problem={problems.name}
      />
      {fields?.(problems)}
      <Notice kind="info">{words.shownOnce}</Notice>
    </FormDialog>
  );
}
