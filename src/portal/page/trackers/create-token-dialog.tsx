import { type FormEvent, useState } from "react";
import { send } from "../api/request.ts";
import { Dialog } from "../common/dialog.tsx";
import { fieldProblems } from "../common/error-words.ts";
import { Field } from "../common/field.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { MadeToken } from "./token-records.ts";

interface CreateTokenProps {
  readonly onClose: () => void;
  readonly onMade: (made: MadeToken) => void;
}

/** As the server takes it. */
const maxNameLength = 100;

export function CreateTokenDialog({ onClose, onMade }: CreateTokenProps) {
  const texts = useTexts();
  const { trackers: words } = useAdministrationTexts();
  const [name, setName] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const create = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      onMade(await send<MadeToken>("POST", "/fleet/tokens", { name: name.trim() }));
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  const problems = fieldProblems(error, texts);
  return (
    <Dialog title={words.create} onClose={onClose}>
      <form onSubmit={create} className="dialog-form">
        {error !== null && problems.name === undefined && <ErrorNotice error={error} />}
        <Field
          label={words.name}
          name="name"
          required
          data-first-focus
          maxLength={maxNameLength}
          value={name}
          onChange={({ target }) => setName(target.value)}
          placeholder={words.whichSender}
          autoComplete="off"
          problem={problems.name}
        />
        <Notice kind="info">{words.shownOnce}</Notice>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            {texts.common.cancel}
          </button>
          <button type="submit" className="button button-primary" disabled={isBusy}>
            {isBusy ? words.creating : words.createIt}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
