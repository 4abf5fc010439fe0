import { type FormEvent, type ReactNode, useState } from "react";
import { useTexts } from "../../texts/use-texts.ts";
import { Button } from "../elements/button.tsx";
import { BackNotice } from "../kept-forms/back-notice.tsx";
import { ErrorNotice } from "../loading/notice.tsx";
import { Dialog } from "./dialog.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly wide?: boolean;
  readonly mustDecide?: boolean;
  readonly onClose: () => void;
  /** Null: none, or one that stands beside its field. */
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly isDisabled?: boolean;
  /** On the button; while it works; and on the one that closes the dialog, "Cancel" unless given. */
  readonly words: readonly [submit: string, busy: string, cancel?: string | undefined];
  /** Something is lost for good: the focus begins at the button that closes the dialog. */
  readonly isDangerous?: boolean;
  /** Whether it begins with what was typed before (`useKeptForm`). */
  readonly isBack?: boolean;
  /** Of a form; Enter in a field submits it. */
  readonly onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
  /** Where there is nothing that Enter should send. */
  readonly onConfirm?: () => void;
  readonly children: ReactNode;
  /** What is seen beside the buttons, however long the form is. */
  readonly outcome?: ReactNode;
}

export function FormDialog({ title, wide = false, mustDecide = false, onClose, ...content }: FormDialogProps) {
  const { common } = useTexts();
  const { error, isBusy, words, isDangerous = false, isBack = false, onSubmit, onConfirm, children, outcome } = content;
  const [submit, busy, cancel = common.cancel] = words;
  const inside = (
    <>
      {isBack && <BackNotice />}
      {error !== null && <ErrorNotice error={error} />}
      {children}
      <footer className="dialog-foot">
        {outcome}
        <Button text={cancel} data-first-focus={isDangerous || undefined} onClick={onClose} />
        <Button
          type={onSubmit ? "submit" : "button"}
          look={isDangerous ? "danger-solid" : "primary"}
          text={isBusy ? busy : submit}
          disabled={content.isDisabled}
          isBusy={isBusy}
          onClick={onConfirm}
        />
      </footer>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} mustDecide={mustDecide} wide={wide}>
      {onSubmit ? (
        <form className="dialog-form" onSubmit={onSubmit}>
          {inside}
        </form>
      ) : (
        <div className="dialog-form">{inside}</div>
      )}
    </Dialog>
  );
}

/** Runs what a form sends, and holds whether it is under way and why it failed. */
export function useSubmit() {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  /** Returns whether it was done. */
  const submit = async (work: () => Promise<unknown>, event?: FormEvent): Promise<boolean> => {
    event?.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await work();
      return true;
    } catch (cause) {
      setError(cause);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { submit, error, isBusy, forgetError: () => setError(null) };
}

type ConfirmDialogProps = Pick<FormDialogProps, "title" | "onClose" | "words" | "isDisabled" | "children"> & {
  readonly work: () => Promise<unknown>;
};

/** Asks once before something is lost for good. */
export function ConfirmDialog({ work, ...dialog }: ConfirmDialogProps) {
  const { submit, ...state } = useSubmit();
  return <FormDialog {...dialog} {...state} isDangerous onConfirm={() => submit(work)} />;
}
