import { useEffect, useRef } from "react";

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
