import { useEffect, useRef } from "react";

let isFirstView = true;

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Odograph`;
  }, [title]);
}

/** Names the view: in the title of the window, and by moving the focus to its heading when one comes from another view. */
export function useHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useEffect(() => {
    if (!isFirstView) heading.current?.focus({ preventScroll: true });
    isFirstView = false;
  }, []);
  return heading;
}
