import { createContext, useContext } from "react";
import type { Session } from "../../both-sides/contract/session.ts";

export const SessionContext = createContext<Session | null>(null);

/** Who is signed in. Only for views that need a session. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("nobody is signed in");
  return session;
}

/** Replaces what is known of the session, after a change of preferences. */
export const ReplaceSessionContext = createContext<(session: Session) => void>(() => {});

export function useReplaceSession(): (session: Session) => void {
  return useContext(ReplaceSessionContext);
}
