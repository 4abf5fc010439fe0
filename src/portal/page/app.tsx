import { useCallback, useEffect, useState } from "react";
import type { Session } from "./api/portal-records.ts";
import { getJson, onSignedOut, PortalError } from "./api/request.ts";
import { Announcer } from "./common/announce.tsx";
import { LoadingState } from "./common/empty-state.tsx";
import { ErrorNotice } from "./common/notice.tsx";
import { navigate, useRoute } from "./common/route.tsx";
import { SessionContext } from "./common/session.ts";
import { Shell } from "./shell/shell.tsx";
import { Views } from "./shell/views.tsx";
import { SignInPage } from "./sign-in/sign-in-page.tsx";

type Known =
  | { readonly state: "asking" }
  | { readonly state: "signed-out"; readonly wasSignedIn: boolean }
  | { readonly state: "signed-in"; readonly session: Session }
  | { readonly state: "failed"; readonly error: unknown };

const firstView = "/map";

/** Shows the sign-in, or the views if somebody is signed in. */
export function App() {
  const [known, setKnown] = useState<Known>({ state: "asking" });
  const { path, query } = useRoute();
  const askWho = useCallback(() => {
    setKnown({ state: "asking" });
    getJson<Session>("/session").then(
      (session) => setKnown({ state: "signed-in", session }),
      (error) => {
        const isSignedOut = error instanceof PortalError && error.status === 401;
        setKnown(isSignedOut ? { state: "signed-out", wasSignedIn: false } : { state: "failed", error });
      },
    );
  }, []);
  useEffect(askWho, [askWho]);
  useEffect(
    () =>
      onSignedOut(() =>
        setKnown((now) => (now.state === "signed-in" ? { state: "signed-out", wasSignedIn: true } : now)),
      ),
    [],
  );
  useEffect(() => {
    // The address holds where to go after signing in.
    if (known.state === "signed-out" && path !== "/sign-in") {
      const back = path === "/" ? "" : `?then=${encodeURIComponent(path + (query.size > 0 ? `?${query}` : ""))}`;
      navigate(`/sign-in${back}`, { replace: true });
    }
    if (known.state === "signed-in" && (path === "/" || path === "/sign-in")) {
      const then = query.get("then") ?? firstView;
      navigate(then.startsWith("/") && !then.startsWith("//") ? then : firstView, { replace: true });
    }
  }, [known.state, path, query]);

  return (
    <>
      {known.state === "asking" && <LoadingState label="Opening the portal" />}
      {known.state === "failed" && (
        <main className="alone">
          <ErrorNotice error={known.error} retry={askWho} />
        </main>
      )}
      {known.state === "signed-out" && (
        <SignInPage isExpired={known.wasSignedIn} onSignedIn={(session) => setKnown({ state: "signed-in", session })} />
      )}
      {known.state === "signed-in" && (
        <SessionContext value={known.session}>
          <Shell onSignedOut={() => setKnown({ state: "signed-out", wasSignedIn: false })}>
            <Views />
          </Shell>
        </SessionContext>
      )}
      <Announcer />
    </>
  );
}
