import { type ReactNode, useEffect, useRef } from "react";
import type { Loaded } from "../loading/use-load.ts";

interface PageHeadProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
}

export function PageHead({ title, text, children }: PageHeadProps) {
  const heading = useHeading(title);
  return (
    <header className="page-head">
      <div className="grid gap-1 break fit">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {text !== undefined && <p className="quiet">{text}</p>}
      </div>
      {children}
    </header>
  );
}

/** Returns what to call before a row goes, with the button that has the focus: once the list is loaded, the heading has it. */
export function useFocusAfterRemoval(loaded: Loaded<unknown>): () => void {
  const isRowGone = useRef(false);
  useEffect(() => {
    if (loaded.state !== "ready" || !isRowGone.current) return;
    isRowGone.current = false;
    document.querySelector<HTMLElement>(".page-head h1")?.focus();
  }, [loaded]);
  return () => {
    isRowGone.current = true;
  };
}

let isFirstView = true;

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Odograph`;
  }, [title]);
}

/** Names the view in the window's title, and moves the focus to its heading after a change of view. */
export function useHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useEffect(() => {
    if (!isFirstView) heading.current?.focus({ preventScroll: true });
    isFirstView = false;
  }, []);
  return heading;
}
