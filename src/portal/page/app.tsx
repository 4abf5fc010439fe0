import { Suspense, useCallback, useEffect, useState } from "react";
import type { SessionAnswer } from "../both-sides/contract/session.ts";
import { getJson, onSignedOut, PortalError } from "./api/request.ts";
import { Announcer } from "./common/elements/announce.tsx";
import { dropFormsOfOthers } from "./common/kept-forms/kept-forms.ts";
import { ErrorNotice, LoadingState } from "./common/loading/notice.tsx";
import { loadable } from "./common/loading/use-load.ts";
import { isOwnPath, navigate, useRoute } from "./common/navigation/route.tsx";
import { ReadingProvider } from "./common/reading/reading.tsx";
import { ReplaceSessionContext, SessionContext } from "./common/session.ts";
import { forgetDevices } from "./common/vehicles/use-devices.ts";
import { Shell } from "./shell/shell.tsx";
import { Views } from "./shell/views.tsx";
import { OpenIdReturn } from "./sign-in/openid.tsx";
import { SignInPage } from "./sign-in/sign-in-page.tsx";
import { useTexts } from "./texts/use-texts.ts";

type AuthState =
  | { readonly state: "asking" }
  | { readonly state: "signed-out"; readonly wasSignedIn: boolean; readonly refusal?: unknown }
  | { readonly state: "signed-in"; readonly session: SessionAnswer }
  | { readonly state: "failed"; readonly error: unknown };

const firstView = "/yesterday";
/** Leads an owner without vehicles to the first one. */
const firstSteps = "/start";
/** What is there for a person who is not signed in, besides the sign-in. */
const openPaths = ["/setup", "/openid"];

const SetupPage = loadable(() => import("./setup/setup-page.tsx"));
/** What a one-time link opens, also for a person who is signed in. */
const linkPath = "/link";
const LinkPage = loadable(() => import("./links/link-page.tsx"));
/** What the link in a mail opens, for everyone. */
const unsubscribePath = "/unsubscribe";
const UnsubscribePage = loadable(() => import("./notifications/unsubscribe-page.tsx"));

/** Shows the sign-in, or the views if a person is signed in. */
export function App() {
  const [auth, setAuth] = useState<AuthState>({ state: "asking" });
  const { path, query } = useRoute();
  const enter = useCallback((session: SessionAnswer) => setAuth({ state: "signed-in", session }), []);
  const loadSession = useCallback(() => {
    setAuth({ state: "asking" });
    getJson("GET /session").then(enter, (error) => {
      const isSignedOut = error instanceof PortalError && error.status === 401;
      setAuth(isSignedOut ? { state: "signed-out", wasSignedIn: false } : { state: "failed", error });
    });
  }, [enter]);
  useEffect(loadSession, [loadSession]);
  // A person may have signed in again in another tab.
  const isSignedOut = auth.state === "signed-out";
  useEffect(() => {
    if (!isSignedOut) return;
    const look = () => {
      if (!document.hidden) getJson("GET /session").then(enter, () => {});
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [isSignedOut, enter]);
  useEffect(
    () =>
      onSignedOut(() =>
        setAuth((now) => (now.state === "signed-in" ? { state: "signed-out", wasSignedIn: true } : now)),
      ),
    [],
  );
  useEffect(() => {
    // The address holds where to go after signing in.
    if (auth.state === "signed-out" && ![linkPath, unsubscribePath, "/sign-in", ...openPaths].includes(path)) {
      const back = path === "/" ? "" : `?then=${encodeURIComponent(path + (query.size > 0 ? `?${query}` : ""))}`;
      navigate(`/sign-in${back}`, { replace: true });
    }
    if (auth.state === "signed-in" && ["/", "/sign-in", ...openPaths].includes(path)) {
      const { user, has_vehicles } = auth.session;
      const first = user.role === "owner" && !has_vehicles ? firstSteps : firstView;
      const then = path === "/sign-in" ? (query.get("then") ?? first) : first;
      navigate(isOwnPath(then) ? then : first, { replace: true });
    }
  }, [auth, path, query]);
  const finishOpenId = useCallback(
    (session: SessionAnswer, next: string | null) => {
      if (next !== null && isOwnPath(next)) navigate(next, { replace: true });
      enter(session);
    },
    [enter],
  );
  const refuse = useCallback((refusal: unknown) => {
    navigate("/sign-in", { replace: true });
    setAuth({ state: "signed-out", wasSignedIn: false, refusal });
  }, []);

  const session = auth.state === "signed-in" ? auth.session : null;
  const isUnsubscribe = path === unsubscribePath;
  const isLink = path === linkPath || isUnsubscribe;
  // Another person may see other vehicles.
  const userId = session?.user.user_id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the change of the person matters
  useEffect(forgetDevices, [userId]);
  useEffect(() => {
    if (userId !== undefined) dropFormsOfOthers(userId);
  }, [userId]);
  const leave = () => {
    dropFormsOfOthers(null);
    setAuth({ state: "signed-out", wasSignedIn: false });
  };
  return (
    <ReadingProvider preferences={session?.preferences ?? null} timeZone={session?.account.time_zone ?? null}>
      {isUnsubscribe && (
        <Suspense fallback={<Opening />}>
          <UnsubscribePage />
        </Suspense>
      )}
      {path === linkPath && (
        <Suspense fallback={<Opening />}>
          <LinkPage
            onSignedIn={(next) => {
              enter(next);
              navigate(firstView, { replace: true });
            }}
          />
        </Suspense>
      )}
      {!isLink && auth.state === "asking" && <Opening />}
      {!isLink && auth.state === "failed" && (
        <main className="alone">
          <ErrorNotice error={auth.error} retry={loadSession} />
        </main>
      )}
      {auth.state === "signed-out" && path === "/setup" && (
        <Suspense fallback={<Opening />}>
          <SetupPage onSignedIn={enter} />
        </Suspense>
      )}
      {auth.state === "signed-out" && path === "/openid" && (
        <OpenIdReturn onSignedIn={finishOpenId} onRefused={refuse} />
      )}
      {auth.state === "signed-out" && !isLink && !openPaths.includes(path) && (
        <SignInPage isExpired={auth.wasSignedIn} refusal={auth.refusal ?? null} onSignedIn={enter} />
      )}
      {!isLink && session && (
        <SessionContext value={session}>
          <ReplaceSessionContext value={enter}>
            <Shell onSignedOut={leave}>
              <Views />
            </Shell>
          </ReplaceSessionContext>
        </SessionContext>
      )}
      <Announcer />
    </ReadingProvider>
  );
}

function Opening() {
  return <LoadingState label={useTexts().shell.opening} />;
}
