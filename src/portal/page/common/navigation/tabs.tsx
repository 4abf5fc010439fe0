import { type ReactNode, useLayoutEffect, useRef } from "react";

interface TabsProps {
  readonly label: string;
  /** Which of them is the current one. */
  readonly current: string;
  /** Links, one of them marked as current. */
  readonly children: ReactNode;
}

/** The parts of a page. On a phone the strip is wider than the screen, and begins where the current one is. */
export function Tabs({ label, current, children }: TabsProps) {
  const strip = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is the current one
  useLayoutEffect(() => {
    const tab = strip.current?.querySelector("[aria-current]");
    if (!strip.current || !tab) return;
    const [all, own] = [strip.current.getBoundingClientRect(), tab.getBoundingClientRect()];
    strip.current.scrollLeft += own.left + own.width / 2 - (all.left + all.width / 2);
  }, [current]);
  return (
    <nav ref={strip} className="tabs flex gap-1" aria-label={label}>
      {children}
    </nav>
  );
}
