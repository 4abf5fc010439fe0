import { useEffect, useRef, useState } from "react";
import { dataPath, type Page, pageLimit } from "../api/pages.ts";
import type { LatestPosition } from "../api/records.ts";
import { ask, PortalError } from "../api/request.ts";

/** What the API recommends; asking more often gains nothing. */
const everyMs = 10_000;

/** A page as it was, to be asked for only if it has changed. */
interface KeptPage extends Page<LatestPosition> {
  readonly etag: string | null;
}

export interface LivePositions {
  /** Null until the first answer. */
  readonly positions: readonly LatestPosition[] | null;
  /** What went wrong when it was last asked for. What is shown is then as old as it is. */
  readonly error: unknown;
}

/** Every vehicle's newest position, asked for again and again for as long as somebody looks. */
export function useLivePositions(): LivePositions {
  const [live, setLive] = useState<LivePositions>({ positions: null, error: null });
  const kept = useRef(new Map<string, KeptPage>());
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async () => {
      clearTimeout(timer);
      let waitMs = everyMs;
      try {
        const { pages, isChanged } = await askPages(kept.current, abort.signal);
        kept.current = pages;
        setLive((before) => ({
          positions: isChanged || before.positions === null ? joined(pages) : before.positions,
          error: null,
        }));
      } catch (error) {
        if (abort.signal.aborted) return;
        if (error instanceof PortalError && error.status === 401) return;
        setLive((before) => ({ ...before, error }));
        waitMs = 2 * everyMs;
      }
      if (!abort.signal.aborted && !document.hidden) timer = setTimeout(poll, waitMs);
    };
    const onVisible = () => (document.hidden ? clearTimeout(timer) : void poll());
    document.addEventListener("visibilitychange", onVisible);
    void poll();
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, []);
  return live;
}

/** All pages of the list. A page that has not changed leads to the same next one, so it need not be sent again. */
async function askPages(kept: ReadonlyMap<string, KeptPage>, signal: AbortSignal) {
  const pages = new Map<string, KeptPage>();
  let isChanged = false;
  let cursor: string | null = null;
  do {
    const path: string = dataPath("positions/latest", { limit: String(pageLimit), cursor });
    const before = kept.get(path);
    const headers: Record<string, string> = before?.etag ? { "If-None-Match": before.etag } : {};
    const response = await ask(path, { signal, headers });
    let page: KeptPage;
    if (response.status === 304 && before) page = before;
    else {
      const body = (await response.json()) as Page<LatestPosition>;
      page = { ...body, etag: response.headers.get("ETag") };
      isChanged = true;
    }
    pages.set(path, page);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return { pages, isChanged: isChanged || pages.size !== kept.size };
}

function joined(pages: ReadonlyMap<string, KeptPage>): LatestPosition[] {
  return [...pages.values()].flatMap(({ data }) => data);
}
