import { type ReactNode, useEffect, useId, useRef } from "react";
import { useTexts } from "../../texts/use-texts.ts";
import { Icon } from "../elements/icon.tsx";

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** If a slip of the finger would lose something: Escape and the cross do nothing then. */
  readonly mustDecide?: boolean;
  readonly wide?: boolean;
}

/**
 * The browser's own modal dialog: it holds the focus inside and returns it when it closes. The focus begins at the element with
 * `data-first-focus`, or else at the first that can have it.
 */
export function Dialog({ title, children, onClose, mustDecide = false, wide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { common } = useTexts();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("[data-first-focus]")?.focus();
    return () => {
      const isThere = opener instanceof HTMLElement && opener.isConnected;
      (isThere ? opener : document.getElementById("content"))?.focus();
    };
  }, []);
  useEffect(() => {
    if (!mustDecide) return;
    // A second Escape would close the dialog whatever `cancel` says, wherever the focus is.
    const stay = (event: KeyboardEvent) => {
      if (event.key === "Escape") event.preventDefault();
    };
    document.addEventListener("keydown", stay);
    return () => document.removeEventListener("keydown", stay);
  }, [mustDecide]);
  return (
    <dialog
      ref={dialog}
      className={wide ? "dialog dialog-wide" : "dialog"}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!mustDecide) onClose();
      }}
    >
      <header className="dialog-head row apart gap-4">
        <h2 id={titleId} className="break fit">
          {title}
        </h2>
        {!mustDecide && (
          <button type="button" className="icon-button" aria-label={common.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
