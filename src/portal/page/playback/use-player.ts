import { useCallback, useEffect, useRef, useState } from "react";

export type PlayerState = ReturnType<typeof usePlayer>;

export const paces = [30, 60, 120, 300, 900] as const;

/** The map need not be moved more often than this to look smooth. */
const stepMs = 50;

interface Span {
  readonly begin: number;
  readonly end: number;
  /** Where playing begins, and begins again after the end. */
  readonly start: number;
  /** The moment to show first, and again whenever it is another; null: where playing begins. */
  readonly moment: number | null;
}

/** A clock that runs through the day, from its first frame to its last. At the end it follows what is reported next. */
export function usePlayer({ begin, end, start, moment }: Span) {
  const [at, setAt] = useState(() => within(moment ?? start, begin, end));
  const [isPlaying, setPlaying] = useState(false);
  /** How many times faster than it happened. */
  const [pace, setPace] = useState<number>(120);
  const now = useRef(at);
  now.current = at;
  const span = useRef({ begin, end });
  useEffect(() => {
    const wasAtEnd = now.current >= span.current.end && span.current.end > span.current.begin;
    span.current = { begin, end };
    if (wasAtEnd) setAt(end);
  }, [begin, end]);
  useEffect(() => {
    if (moment === null) return;
    setPlaying(false);
    setAt(within(moment, span.current.begin, span.current.end));
  }, [moment]);
  useEffect(() => {
    if (!isPlaying) return;
    let last = performance.now();
    const timer = setInterval(() => {
      const present = performance.now();
      const next = Math.min(end, now.current + (present - last) * pace);
      last = present;
      setAt(next);
      if (next >= end) setPlaying(false);
    }, stepMs);
    return () => clearInterval(timer);
  }, [isPlaying, pace, end]);
  const seek = useCallback((to: number) => setAt(within(to, begin, end)), [begin, end]);
  const play = useCallback(() => {
    if (now.current >= end) setAt(start);
    setPlaying(true);
  }, [start, end]);
  const pause = useCallback(() => setPlaying(false), []);
  return { at, isPlaying, pace, seek, play, pause, setPace };
}

function within(at: number, begin: number, end: number): number {
  return Math.min(end, Math.max(begin, at));
}
