import type { ReactNode } from "react";
import { Icon } from "../common/elements/icon.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly state: "done" | "current" | "later";
  readonly children: ReactNode;
}

function idOf(number: number): string {
  return `step-${number}`;
}

/** What had the focus is done and gone: it goes on here. */
export function focusStep(number: number): void {
  document.getElementById(idOf(number))?.focus();
}

export function SetupStep({ number, title, state, children }: StepProps) {
  const id = idOf(number);
  const { setup: words } = useAdministrationTexts();
  return (
    <li
      className={`card step step-${state}`}
      aria-labelledby={id}
      aria-current={state === "current" ? "step" : undefined}
    >
      <h2 id={id} tabIndex={-1}>
        <span className="step-number round" aria-hidden="true">
          {state === "done" ? <Icon name="check" /> : number}
        </span>
        {title}
        {state === "done" && <span className="visually-hidden"> ({words.done})</span>}
      </h2>
      {children}
    </li>
  );
}
