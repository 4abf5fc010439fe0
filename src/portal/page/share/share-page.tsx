import { Suspense, useCallback, useMemo, useState } from "react";
import type { SharedVehicle } from "../../both-sides/contract/shares.ts";
import { townText } from "../../both-sides/places/near-town.ts";
import { Icon, Logo } from "../common/elements/icon.tsx";
import { EmptyState, ErrorNotice, LoadingState } from "../common/loading/notice.tsx";
import { loadable } from "../common/loading/use-load.ts";
import { useTitle } from "../common/navigation/page-head.tsx";
import { useNow } from "../common/reading/clock.ts";
import { MapSourceContext } from "../map/map-source.ts";
import { MotionMark } from "../map/motion-mark.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { mapsLink } from "./maps-link.ts";
import { shareHeaders } from "./share-requests.ts";
import { type ShareState, useSecret, useShare } from "./use-share.ts";
import { useTracks } from "./use-tracks.ts";
import { sharedVehicleState } from "./vehicle-state.ts";

const ShareMap = loadable(() => import("./share-map.tsx"));

/** A map of what a person shared, until it ends. */
export default function SharePage() {
  const secret = useSecret();
  const state = useShare(secret);
  const { share: words } = useTexts();
  useTitle(words.title);
  if (state.state === "opening") return <LoadingState label={words.opening} />;
  if (state.state === "ended") {
    return (
      <main className="alone">
        <EmptyState icon="clock" title={words.ended} isWholePage>
          {words.endedWhat}
        </EmptyState>
      </main>
    );
  }
  if (state.state === "failed") {
    return (
      <main className="alone">
        <ErrorNotice error={state.error} retry={() => location.reload()} />
      </main>
    );
  }
  return <Shown key={secret} secret={secret} shown={state} />;
}

interface ShownProps {
  readonly secret: string;
  readonly shown: Extract<ShareState, { state: "shown" }>;
}

function Shown({ secret, shown }: ShownProps) {
  const { share: words, map: mapWords, show } = useTexts();
  const { answer, aheadMs, round, error } = shown;
  const { data: view } = answer;
  const now = useNow(1_000) + aheadMs;
  const tracks = useTracks(secret, view, round);
  const [wanted, setWanted] = useState<{ readonly vehicle: number } | null>(null);
  const nameOf = useCallback(({ label, vehicle }: SharedVehicle) => label ?? words.vehicle(vehicle + 1), [words]);
  const tilesUrl = JSON.stringify(answer.map);
  // Each answer has its own, mostly equal: the map is drawn anew only if it is another.
  const source = useMemo(
    () => ({ settings: JSON.parse(tilesUrl) as typeof answer.map, headers: shareHeaders(secret) }),
    [tilesUrl, secret],
  );
  const { period } = view;
  return (
    <MapSourceContext value={source}>
      <main className="share grid">
        <section className="share-side flex gap-2">
          <header className="share-head row gap-3">
            <Logo />
            <div>
              <h1>{words.title}</h1>
              <p className="hint">{words.until(show.time(Date.parse(view.until), "minute"))}</p>
            </div>
          </header>
          {error !== null && <p className="share-note fine">{words.offline}</p>}
          {period !== null && (
            <p className="fine">
              {words.track(show.time(Date.parse(period.from), "minute"), show.time(Date.parse(period.to), "minute"))}
            </p>
          )}
          <ul className="grid gap-1">
            {view.vehicles.map((vehicle) => (
              <li key={vehicle.vehicle} className="share-item grid gap-1">
                <button
                  type="button"
                  className="share-vehicle grid middle full box"
                  onClick={() => setWanted({ vehicle: vehicle.vehicle })}
                >
                  <VehicleLine
                    vehicle={vehicle}
                    name={nameOf(vehicle)}
                    isLive={view.live}
                    now={now}
                    hasTrack={(tracks.get(vehicle.vehicle)?.length ?? 0) > 0}
                  />
                </button>
                {vehicle.position !== null && (
                  <a
                    className="button share-open"
                    href={mapsLink(vehicle.position, nameOf(vehicle), navigator.userAgent)}
                    target="_blank"
                    rel="noreferrer"
                    aria-label={words.openNamed(nameOf(vehicle))}
                  >
                    <Icon name="target" />
                    {words.open}
                  </a>
                )}
              </li>
            ))}
          </ul>
        </section>
        <section className="share-map fit anchor" aria-label={mapWords.stage}>
          <Suspense fallback={<LoadingState label={mapWords.loading} />}>
            <ShareMap
              vehicles={view.vehicles}
              nameOf={nameOf}
              tracks={tracks}
              now={Math.floor(now / 60_000) * 60_000}
              wanted={wanted}
            />
          </Suspense>
        </section>
      </main>
    </MapSourceContext>
  );
}

interface VehicleLineProps {
  readonly vehicle: SharedVehicle;
  readonly name: string;
  readonly isLive: boolean;
  readonly hasTrack: boolean;
  readonly now: number;
}

function VehicleLine({ vehicle, name, isLive, hasTrack, now }: VehicleLineProps) {
  const texts = useTexts();
  const { share: words, show } = texts;
  const state = sharedVehicleState(vehicle, now);
  const heading = vehicle.position?.heading_deg ?? null;
  const town = vehicle.position?.town ?? null;
  return (
    <>
      {state !== null && <MotionMark motion={state.motion} heading={heading} />}
      <span className="share-name">{name}</span>
      {town !== null && <span className="share-place">{townText(town, show, texts)}</span>}
      <span className={state?.motion === "offline" ? "share-state fine share-old" : "share-state hint"}>
        {state !== null && `${words.states[state.motion]} · ${words.position(show.age(state.ageMs))}`}
        {state === null && isLive && words.noPosition}
        {!isLive && (hasTrack ? words.ofPeriod : words.noTrack)}
      </span>
    </>
  );
}
