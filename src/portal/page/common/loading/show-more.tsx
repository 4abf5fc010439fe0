import { useEffect, useRef, useState } from "react";
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

export interface More {
  readonly isLoading: boolean;
  /** Why the last page did not come; null: it did. */
  readonly error: unknown;
  readonly loadMore: () => Promise<void>;
}

/** The next page of a list, on request, one at a time. With another `list`, a page that is under way is of no use any more. */
export function useMore<Page>(
  list: unknown,
  load: (signal: AbortSignal) => Promise<Page>,
  onPage: (page: Page) => void,
): More {
  const [state, setState] = useState<Omit<More, "loadMore">>({ isLoading: false, error: null });
  const underWay = useRef<AbortController | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list ends it
  useEffect(() => {
    setState({ isLoading: false, error: null });
    return () => {
      underWay.current?.abort();
      underWay.current = null;
    };
  }, [list]);
  const loadMore = async () => {
    if (underWay.current !== null) return;
    const abort = new AbortController();
    underWay.current = abort;
    setState({ isLoading: true, error: null });
    try {
      const page = await load(abort.signal);
      if (abort.signal.aborted) return;
      onPage(page);
      setState({ isLoading: false, error: null });
    } catch (error) {
      if (abort.signal.aborted) return;
      setState({ isLoading: false, error });
    }
    underWay.current = null;
  };
  return { ...state, loadMore };
}
