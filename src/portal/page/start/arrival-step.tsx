import { useEffect, useState } from "react";
import { to } from "../../both-sides/address.ts";
import type { LatestPosition } from "../../both-sides/contract/data.ts";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import { getPage } from "../api/pages.ts";
import { getJson, PortalError, send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { ErrorNotice, LoadingState, Notice } from "../common/loading/notice.tsx";
import { Link } from "../common/navigation/route.tsx";
import { useNow } from "../common/reading/clock.ts";
import { VehicleHere } from "../map/vehicle-here.tsx";
import { focusStep } from "../setup/step.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useUnknownImeis } from "../vehicles/refused-trackers.tsx";

interface ArrivalStepProps {
  readonly vehicle: FleetVehicle;
  readonly arrival: Arrival;
  /** The vehicle has another tracker now. */
  readonly onChanged: (vehicle: FleetVehicle) => void;
}

/** Waits for the first report, then shows where the vehicle is. */
export function ArrivalStep({ vehicle, arrival, onChanged }: ArrivalStepProps) {
  const { setup: words } = useAdministrationTexts();
  const { position, hasReported, error } = arrival;
  const isHere = position !== null;
  useEffect(() => {
    if (isHere) announce(words.here(vehicle.name));
  }, [isHere, vehicle.name, words]);
  if (position !== null) return <Here position={position} />;
  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      {hasReported ? (
        <Notice kind="warning">{words.noFix(vehicle.name)}</Notice>
      ) : (
        <>
          <LoadingState label={words.waiting(vehicle.name)} />
          <p className="quiet">{words.waitingWhat}</p>
          <OtherTracker vehicle={vehicle} onChanged={onChanged} />
        </>
      )}
    </>
  );
}

/** A person may have mistyped the IMEI: what reports instead is offered. */
function OtherTracker({ vehicle, onChanged }: Pick<ArrivalStepProps, "vehicle" | "onChanged">) {
  const { setup: words } = useAdministrationTexts();
  const [other] = useUnknownImeis();
  const { submit, error } = useSubmit();
  if (other === undefined) return null;
  const { device_id, revision, name } = vehicle;
  const take = async () => {
    const body = { revision, fields: { imei: other } };
    const { data } = await send(to("PUT /fleet/devices/{device_id}", { device_id }), body);
    focusStep(3);
    onChanged(data);
  };
  return (
    <Notice kind="info">
      <p>{words.other(other)}</p>
      {error !== null && <ErrorNotice error={error} />}
      <Button look="small" text={words.takeOther(name)} onClick={() => submit(take)} />
    </Notice>
  );
}

function Here({ position }: { readonly position: LatestPosition }) {
  const { setup: words, show } = useAdministrationTexts();
  const now = useNow(1_000);
  return (
    <>
      <Notice kind="success">
        <p>
          <strong data-testid="here">{words.here(position.name)}</strong>
        </p>
        <p>{words.lastReport(show.age(now - Date.parse(position.recorded_at)))}</p>
      </Notice>
      <VehicleHere position={position} />
      <p className="button-row">
        <Link to={`/map?vehicle=${position.device_id}`} className="button button-primary">
          {words.openMap}
        </Link>
        <Link to="/fleet/vehicles" className="button">
          {words.moreVehicles}
        </Link>
        <Link to="/fleet/people" className="button">
          {words.invite}
        </Link>
      </p>
    </>
  );
}

/** A person sits before the page and waits. */
const lookEveryMs = 2_000;

interface Arrival {
  readonly position: LatestPosition | null;
  /** Whether anything came from it, if only without a position. */
  readonly hasReported: boolean;
  readonly error: unknown;
}

const nothingYet: Arrival = { position: null, hasReported: false, error: null };

/** Looks for reports of the vehicle, again and again while the page is visible. */
export function useArrival(vehicle: FleetVehicle | null): Arrival {
  const [arrival, setArrival] = useState<Arrival>(nothingYet);
  const id = vehicle?.device_id ?? null;
  const imei = vehicle?.imei ?? null;
  useEffect(() => {
    setArrival(nothingYet);
    if (id === null || imei === null) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      clearTimeout(timer);
      try {
        const found = await lookFor(id, imei, abort.signal);
        setArrival(found);
      } catch (error) {
        if (abort.signal.aborted || (error instanceof PortalError && error.status === 401)) return;
        setArrival((before) => ({ ...before, error }));
      }
      if (!abort.signal.aborted && !document.hidden) timer = setTimeout(look, lookEveryMs);
    };
    const onVisible = () => (document.hidden ? clearTimeout(timer) : void look());
    document.addEventListener("visibilitychange", onVisible);
    void look();
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [id, imei]);
  return arrival;
}

async function lookFor(id: string, imei: string, signal: AbortSignal): Promise<Arrival> {
  const { data } = await getPage("positions/latest", { imei }, signal);
  const position = data[0] ?? null;
  if (position !== null) return { position, hasReported: true, error: null };
  const device = await getJson(to("GET /data/devices/{device_id}", { device_id: id }), signal);
  return { position, hasReported: device.data.last_seen_at !== null, error: null };
}
