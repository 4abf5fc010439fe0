import { Component, type ComponentType, type ReactNode, Suspense } from "react";
import { EmptyState, ErrorNotice, LoadingState } from "../common/loading/notice.tsx";
import { loadable } from "../common/loading/use-load.ts";
import { useHeading } from "../common/navigation/page-head.tsx";
import { Link, useRoute } from "../common/navigation/route.tsx";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";

// Each is loaded when it is opened.
const YesterdayPage = loadable(() => import("../yesterday/yesterday-page.tsx"));
const MapPage = loadable(() => import("../map/map-page.tsx"));
const PlaybackPage = loadable(() => import("../playback/playback-page.tsx"));
const AlertsPage = loadable(() => import("../alerts/alerts-page.tsx"));
const ReportsPage = loadable(() => import("../reports/reports-page.tsx"));
const PlannedReportsPage = loadable(() => import("../planned-reports/planned-page.tsx"));
const FleetPage = loadable(() => import("./fleet-page.tsx"));
const StartPage = loadable(() => import("../start/start-page.tsx"));
const KeysPage = loadable(() => import("../keys/keys-page.tsx"));
const SharesPage = loadable(() => import("../shares/shares-page.tsx"));
const KeptMailsPage = loadable(() => import("../kept-mails/kept-mails-page.tsx"));
const UsagePage = loadable(() => import("../usage/usage-page.tsx"));
const NotificationsPage = loadable(() => import("../notifications/notifications-page.tsx"));
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
  "/shares": SharesPage,
  "/usage": UsagePage,
  "/alerts": AlertsPage,
  "/notifications": NotificationsPage,
  "/reports/planned": PlannedReportsPage,
  "/account": AccountPage,
};

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
  if (report && !Object.hasOwn(pages, path)) return <ReportsPage kind={report[1] ?? null} />;
  const fleet = /^\/fleet(?:\/([\w-]+))?$/.exec(path);
  if (fleet && role === "owner") return <FleetPage part={fleet[1] ?? null} />;
  if (path === "/start" && role === "owner") return <StartPage />;
  if (path === "/mails" && role === "owner") return <KeptMailsPage />;
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

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** Another view gets another chance. */
  readonly view: string;
}

/** A fault in one view must not leave an empty page: the navigation stays, and the view can be opened again. */
class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate({ view }: ErrorBoundaryProps) {
    if (view !== this.props.view && this.state.error !== null) this.setState({ error: null });
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <div className="page">
        <ErrorNotice error={this.state.error} retry={reloadIfReachable} />
      </div>
    );
  }
}

/**
 * A browser remembers for ever that a script could not be loaded, so the page is loaded anew; its address holds what was
 * shown. But not while the server is away: then the browser would show a page of its own.
 */
function reloadIfReachable(): void {
  fetch(location.pathname, { method: "HEAD" }).then(
    () => location.reload(),
    () => {},
  );
}
