import { type ComponentType, Suspense } from "react";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { ErrorBoundary } from "../common/error-boundary.tsx";
import { loadable } from "../common/loadable.ts";
import { Link, useRoute } from "../common/route.tsx";
import { useSession } from "../common/session.ts";
import { useHeading } from "../common/use-heading.ts";
import { useTexts } from "../texts/use-texts.ts";

// Each is loaded when it is opened.
const YesterdayPage = loadable(() => import("../yesterday/yesterday-page.tsx"));
const MapPage = loadable(() => import("../map/map-page.tsx"));
const PlaybackPage = loadable(() => import("../playback/playback-page.tsx"));
const AlertsPage = loadable(() => import("../alerts/alerts-page.tsx"));
const ReportsPage = loadable(() => import("../reports/reports-page.tsx"));
const FleetPage = loadable(() => import("../fleet/fleet-page.tsx"));
const StartPage = loadable(() => import("../setup/start-page.tsx"));
const KeysPage = loadable(() => import("../keys/keys-page.tsx"));
const UsagePage = loadable(() => import("../usage/usage-page.tsx"));
const AccountPage = loadable(() => import("../account/account-page.tsx"));

/** Null: what leads away from it is under way. */
const pages: Readonly<Record<string, ComponentType | null>> = {
  "/": null,
  "/sign-in": null,
  "/setup": null,
  "/openid": null,
  "/yesterday": YesterdayPage,
  "/map": MapPage,
  "/keys": KeysPage,
  "/usage": UsagePage,
  "/alerts": AlertsPage,
  "/account": AccountPage,
};

/** The view of an address. */
export function Views() {
  const { path } = useRoute();
  return (
    <ErrorBoundary view={path}>
      <Suspense fallback={<LoadingState />}>
        <View />
      </Suspense>
    </ErrorBoundary>
  );
}

function View() {
  const { path, query } = useRoute();
  const { role } = useSession().user;
  const device = /^\/map\/([\w-]+)$/.exec(path)?.[1];
  if (device !== undefined) {
    const moment = { day: query.get("day"), at: query.get("at"), find: query.get("find") };
    return <PlaybackPage key={device} deviceId={device} {...moment} />;
  }
  const report = /^\/reports(?:\/([\w-]+))?$/.exec(path);
  if (report) return <ReportsPage kind={report[1] ?? null} />;
  const fleet = /^\/fleet(?:\/([\w-]+))?$/.exec(path);
  if (fleet && role === "owner") return <FleetPage part={fleet[1] ?? null} />;
  if (path === "/start" && role === "owner") return <StartPage />;
  if (!Object.hasOwn(pages, path)) return <NoSuchPage />;
  const Page = pages[path];
  return Page ? <Page /> : null;
}

function NoSuchPage() {
  const { common } = useTexts();
  useHeading(common.noSuchPage);
  return (
    <EmptyState icon="map" title={common.noSuchPage} isWholePage>
      <Link to="/yesterday" className="button">
        {common.goToFirst}
      </Link>
    </EmptyState>
  );
}
