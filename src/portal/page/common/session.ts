import { createContext, useContext } from "react";
import type { SessionAnswer } from "../../both-sides/contract/session.ts";

export const SessionContext = createContext<SessionAnswer | null>(null);

/** Who is signed in. Only for views that need a session. */
export function useSession(): SessionAnswer {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("nobody is signed in");
  return session;
}

/** Replaces what is known of the session, after a change of preferences. */
export const ReplaceSessionContext = createContext<(session: SessionAnswer) => void>(() => {});

export function useReplaceSession(): (session: SessionAnswer) => void {
  return useContext(ReplaceSessionContext);
}
