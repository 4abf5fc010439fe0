import { useEffect, useState } from "react";
import type { SharedAnswer } from "../../both-sides/contract/shares.ts";
import { PortalError } from "../api/request.ts";
import { loadShare } from "./share-requests.ts";

/** How soon an open page knows that the link has ended. */
const pollMs = 5_000;
/** As long as the browser's timers wait. */
const maxWaitMs = 2 ** 31 - 1;

export type ShareState =
  | { readonly state: "opening" }
  | { readonly state: "ended" }
  | { readonly state: "failed"; readonly error: unknown }
  | {
      readonly state: "shown";
      readonly answer: SharedAnswer;
      /** How far the server's clock is ahead of the browser's. */
      readonly aheadMs: number;
      /** Grows with each answer. */
      readonly round: number;
      /** Why the last question had no answer; null: it had one. */
      readonly error: unknown;
    };

/** What the link shows, asked for again while a person looks. */
export function useShare(secret: string): ShareState {
  const [state, setState] = useState<ShareState>({ state: "opening" });
  useEffect(() => {
    setState({ state: "opening" });
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let endTimer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    const end = () => {
      abort.abort();
      setState({ state: "ended" });
    };
    const poll = async () => {
      clearTimeout(timer);
      if (isAsking || abort.signal.aborted || document.hidden) return;
      isAsking = true;
      try {
        const answer = await loadShare(secret, abort.signal);
        const { now, until } = answer.data;
        const aheadMs = Date.parse(now) - Date.now();
        setState((before) => ({ state: "shown", answer, aheadMs, round: roundOf(before) + 1, error: null }));
        // Also if the server is away by then.
        clearTimeout(endTimer);
        endTimer = setTimeout(end, Math.min(maxWaitMs, Date.parse(until) - Date.parse(now)));
      } catch (error) {
        if (abort.signal.aborted) return;
        if (error instanceof PortalError && error.status === 404) return end();
        setState((before) => (before.state === "shown" ? { ...before, error } : { state: "failed", error }));
      } finally {
        isAsking = false;
      }
      timer = setTimeout(poll, pollMs);
    };
    void poll();
    document.addEventListener("visibilitychange", poll);
    return () => {
      abort.abort();
      clearTimeout(timer);
      clearTimeout(endTimer);
      document.removeEventListener("visibilitychange", poll);
    };
  }, [secret]);
  return state;
}

function roundOf(state: ShareState): number {
  return state.state === "shown" ? state.round : 0;
}

/** The part of the address that a browser never sends. Another link may be opened in the same tab. */
export function useSecret(): string {
  const [secret, setSecret] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const follow = () => setSecret(location.hash.slice(1));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return secret;
}
