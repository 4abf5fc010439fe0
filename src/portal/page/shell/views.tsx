import { lazy, Suspense } from "react";
import { AccountPage } from "../account/account-page.tsx";
import { AlertsPage } from "../alerts/alerts-page.tsx";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { Link, useRoute } from "../common/route.tsx";
import { useHeading } from "../common/use-heading.ts";
import { KeysPage } from "../keys/keys-page.tsx";
import { MapPage } from "../map/map-page.tsx";
import { UsagePage } from "../usage/usage-page.tsx";

const PlaybackPage = lazy(() => import("../playback/playback-page.tsx"));

/** The view of an address. */
export function Views() {
  const { path, query } = useRoute();
  const device = /^\/map\/([\w-]+)$/.exec(path)?.[1];
  if (device !== undefined) {
    return (
      <Suspense fallback={<LoadingState label="Opening the day" />}>
        <PlaybackPage key={device} deviceId={device} day={query.get("day")} />
      </Suspense>
    );
  }
  switch (path) {
    case "/":
    case "/sign-in":
      return null;
    case "/map":
      return <MapPage />;
    case "/keys":
      return <KeysPage />;
    case "/usage":
      return <UsagePage />;
    case "/alerts":
      return <AlertsPage />;
    case "/account":
      return <AccountPage />;
    default:
      return <NoSuchPage />;
  }
}

function NoSuchPage() {
  useHeading("No such page");
  return (
    <EmptyState icon="map" title="There is no such page" isWholePage>
      <Link to="/map" className="button">
        Go to the map
      </Link>
    </EmptyState>
  );
}
