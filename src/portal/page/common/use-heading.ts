import { useEffect, useRef } from "react";

let isFirstView = true;

/** Names the view: in the title of the window, and by moving the focus to its heading when one comes from another view. */
export function useHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Odograph`;
  }, [title]);
  useEffect(() => {
    if (!isFirstView) heading.current?.focus({ preventScroll: true });
    isFirstView = false;
  }, []);
  return heading;
}
