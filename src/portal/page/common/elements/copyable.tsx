import { useEffect, useId, useState } from "react";
import { useTexts } from "../../texts/use-texts.ts";
import { announce } from "./announce.tsx";
import { Button } from "./button.tsx";

interface CopyableProps {
  readonly title: string;
  readonly text: string;
  /** What the button says that it copies; the title unless given. */
  readonly what?: string;
  readonly testId?: string;
}

/** A secret or a line to paste, under its title, with a button that copies it. */
export function Copyable({ title, text, what = title, testId }: CopyableProps) {
  const id = useId();
  return (
    <div>
      <h3>{title}</h3>
      <div className="secret flex align-start gap-3">
        <code id={id} data-testid={testId}>
          {text}
        </code>
        <CopyButton text={text} what={what} selects={id} />
      </div>
    </div>
  );
}

/** How long the button shows that it has worked. */
const thanksMs = 2500;

/** Copies a text. If the browser does not allow that, selects it, so that the keyboard can copy it. */
export function CopyButton({ text, what, selects }: { text: string; what: string; selects: string }) {
  const { common } = useTexts();
  const [state, setState] = useState<"idle" | "copied" | "selected">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), thanksMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
      announce(common.copiedWhat(what));
    } catch {
      const shown = document.getElementById(selects);
      if (shown) getSelection()?.selectAllChildren(shown);
      setState("selected");
      announce(common.selectedWhat(what));
    }
  };
  const words = { idle: common.copy, copied: common.copied, selected: common.pressToCopy }[state];
  return (
    <Button
      look="small"
      className="copy"
      icon={state === "copied" ? "check" : "copy"}
      text={words}
      onClick={copy}
      aria-label={`${words}: ${what}`}
    />
  );
}
