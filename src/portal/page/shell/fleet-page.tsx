import { type ComponentType, Suspense } from "react";
import { LoadingState } from "../common/loading/notice.tsx";
import { loadable } from "../common/loading/use-load.ts";
import { Link } from "../common/navigation/route.tsx";
import { Tabs } from "../common/navigation/tabs.tsx";
import { useSession } from "../common/session.ts";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

// Each is loaded when it is opened.
const views = {
  vehicles: loadable(() => import("../vehicles/vehicles-page.tsx")),
  people: loadable(() => import("../people/people-page.tsx")),
  drivers: loadable(() => import("../drivers/drivers-page.tsx")),
  fences: loadable(() => import("../fences/fences-page.tsx")),
  rules: loadable(() => import("../rules/rules-page.tsx")),
  trackers: loadable(() => import("../trackers/trackers-page.tsx")),
  streets: loadable(() => import("../streets/streets-page.tsx")),
  log: loadable(() => import("../audit/audit-page.tsx")),
} as const;

/** Has no tab of its own: it is reached from the trackers. */
const ConnectPage = loadable(() => import("../connect/connect-page.tsx"));

type FleetPart = keyof typeof views;
const parts = Object.keys(views) as FleetPart[];

export default function FleetPage({ part }: { readonly part: string | null }) {
  const shown = part === "connect" ? "trackers" : (parts.find((name) => name === part) ?? "vehicles");
  return (
    <WithAdministrationTexts>
      <FleetView shown={shown} View={part === "connect" ? ConnectPage : views[shown]} />
    </WithAdministrationTexts>
  );
}

interface FleetViewProps {
  /** Whose tab is marked. */
  readonly shown: FleetPart;
  readonly View: ComponentType;
}

function FleetView({ shown, View }: FleetViewProps) {
  const { fleet, audit, ...texts } = useAdministrationTexts();
  const words = { ...texts, log: audit };
  const { has_drivers: hasDrivers } = useSession();
  // Nothing about drivers where no tracker sends them. To the streets the map leads, and the account.
  const isShown = (name: FleetPart) => (name !== "drivers" || hasDrivers) && name !== "streets";
  const tabs = parts.filter((name) => isShown(name) || shown === name);
  return (
    <div className="page fleet">
      <Tabs label={fleet.parts} current={shown}>
        {tabs.map((name) => (
          <Link key={name} to={`/fleet/${name}`} current={name === shown}>
            {words[name].title}
          </Link>
        ))}
      </Tabs>
      <Suspense fallback={<LoadingState />}>
        <View />
      </Suspense>
    </div>
  );
}
