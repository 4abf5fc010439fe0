import { useCallback, useEffect, useRef, useState } from "react";

export interface PlayerState {
  readonly at: number;
  readonly isPlaying: boolean;
  /** How many times faster than it happened. */
  readonly pace: number;
  readonly seek: (at: number) => void;
  readonly play: () => void;
  readonly pause: () => void;
  readonly setPace: (pace: number) => void;
}

export const paces = [30, 60, 120, 300, 900] as const;

/** The map need not be moved more often than this to look smooth. */
const stepMs = 50;

interface Span {
  readonly begin: number;
  readonly end: number;
  /** Where playing begins, and begins again after the end. */
  readonly start: number;
}

/** A clock that runs through the day, from its first frame to its last. */
export function usePlayer({ begin, end, start }: Span): PlayerState {
  const [at, setAt] = useState(start);
  const [isPlaying, setPlaying] = useState(false);
  const [pace, setPace] = useState<number>(120);
  const now = useRef(at);
  now.current = at;
  useEffect(() => {
    if (!isPlaying) return;
    let last = performance.now();
    const timer = setInterval(() => {
      const moment = performance.now();
      const next = Math.min(end, now.current + (moment - last) * pace);
      last = moment;
      setAt(next);
      if (next >= end) setPlaying(false);
    }, stepMs);
    return () => clearInterval(timer);
  }, [isPlaying, pace, end]);
  const seek = useCallback((to: number) => setAt(Math.min(end, Math.max(begin, to))), [begin, end]);
  const play = useCallback(() => {
    if (now.current >= end) setAt(start);
    setPlaying(true);
  }, [start, end]);
  const pause = useCallback(() => setPlaying(false), []);
  return { at, isPlaying, pace, seek, play, pause, setPace };
}
