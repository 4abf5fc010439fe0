import { useEffect, useRef } from "react";
import { useTexts } from "../../texts/use-texts.ts";

interface ShowMoreProps {
  readonly isLoading: boolean;
  readonly onMore: () => void;
  readonly className?: string;
}

/** Asks for more rows before the end of a list is reached; a button for those who do not scroll. */
export function ShowMore({ isLoading, onMore, className = "button" }: ShowMoreProps) {
  const { common } = useTexts();
  const button = useRef<HTMLButtonElement>(null);
  const more = useRef(onMore);
  more.current = onMore;
  useEffect(() => {
    if (!button.current || isLoading) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) more.current();
      },
      { rootMargin: "600px" },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  });
  return (
    <button ref={button} type="button" className={className} onClick={onMore}>
      {isLoading ? `${common.loading}…` : common.showMore}
    </button>
  );
}
