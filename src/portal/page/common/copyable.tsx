import { useId } from "react";
import { CopyButton } from "./copy-button.tsx";

interface CopyableProps {
  readonly title: string;
  readonly text: string;
  /** What the button says that it copies; the title unless told. */
  readonly what?: string;
  readonly testId?: string;
}

/** A secret or a line to paste, under its title, with a button that copies it. */
export function Copyable({ title, text, what = title, testId }: CopyableProps) {
  const id = useId();
  return (
    <div>
      <h3>{title}</h3>
      <div className="secret">
        <code id={id} data-testid={testId}>
          {text}
        </code>
        <CopyButton text={text} what={what} selects={id} />
      </div>
    </div>
  );
}
