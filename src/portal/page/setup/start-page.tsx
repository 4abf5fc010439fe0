import { useCallback, useState } from "react";
import type { MadeToken, TokenList } from "../../both-sides/contract/trackers.ts";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import { getJson, send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { ErrorNotice, LoadState, Notice } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { PageHead } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { useReplaceSession, useSession } from "../common/session.ts";
import { forgetDevices } from "../common/vehicles/use-devices.ts";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { AddressNote, TrackerLines } from "../trackers/tracker-lines.tsx";
import { useUnknownImeis } from "../vehicles/refused-trackers.tsx";
import { VehicleShortForm } from "../vehicles/short-form.tsx";
import { ArrivalStep, useArrival } from "./arrival-step.tsx";
import { focusStep, SetupStep } from "./step.tsx";

/** Leads the owner from an empty account to a dot on the map. What is done already is read from the server. */
export default function StartPage() {
  return (
    <WithAdministrationTexts>
      <Start />
    </WithAdministrationTexts>
  );
}

interface Progress {
  /** The one that is being set up; null: there is none yet. */
  readonly vehicle: FleetVehicle | null;
  readonly tokens: TokenList;
}

async function loadProgress(signal: AbortSignal): Promise<Progress> {
  const [{ data }, tokens] = await Promise.all([
    getJson("GET /fleet/devices", signal),
    getJson("GET /fleet/tokens", signal),
  ]);
  // Who has several goes on with one that has never reported.
  const vehicle = data.find(({ last_seen_at }) => last_seen_at === null) ?? data[0] ?? null;
  return { vehicle, tokens };
}

function Start() {
  const { setup: words, vehicles } = useAdministrationTexts();
  const session = useSession();
  const replaceSession = useReplaceSession();
  const loading = useLoad(loadProgress);
  const { loaded } = loading;
  // Loading again must not replace the one that was just added by another.
  const [added, setAdded] = useState<FleetVehicle | null>(null);
  const vehicle = added ?? loaded.data?.vehicle ?? null;
  const arrival = useArrival(vehicle);
  const add = useCallback(
    (vehicle: FleetVehicle) => {
      setAdded(vehicle);
      forgetDevices();
      if (!session.has_vehicles) replaceSession({ ...session, has_vehicles: true });
    },
    [session, replaceSession],
  );
  const isHere = arrival.position !== null;
  return (
    <div className="page start">
      <PageHead title={words.start} text={words.startWhat}>
        {!isHere && (
          <Link to="/map" className="button">
            {words.lookAround}
          </Link>
        )}
      </PageHead>
      <LoadState {...loading} />
      {loaded.data !== null && (
        <ol className="column gap-4">
          <SetupStep number={1} title={vehicles.add} state={vehicle === null ? "current" : "done"}>
            {vehicle === null ? (
              <VehicleStep onAdded={add} />
            ) : (
              <p>
                <strong>{vehicle.name}</strong> · IMEI <code>{vehicle.imei}</code>
              </p>
            )}
          </SetupStep>
          <SetupStep
            number={2}
            title={words.trackerStep}
            state={vehicle === null ? "later" : isHere || arrival.hasReported ? "done" : "current"}
          >
            {vehicle !== null && !isHere && <TrackerStep vehicle={vehicle} tokens={loaded.data.tokens} />}
          </SetupStep>
          <SetupStep
            number={3}
            title={words.arrivalStep}
            state={vehicle === null ? "later" : isHere ? "done" : "current"}
          >
            {vehicle !== null && <ArrivalStep vehicle={vehicle} arrival={arrival} onChanged={setAdded} />}
          </SetupStep>
        </ol>
      )}
    </div>
  );
}

interface TrackerStepProps {
  readonly vehicle: FleetVehicle;
  readonly tokens: TokenList;
}

/** As the server takes it. */
const maxNameLength = 100;

function TrackerStep({ vehicle, tokens }: TrackerStepProps) {
  const { setup: words } = useAdministrationTexts();
  const [made, setMade] = useState<MadeToken | null>(null);
  const { submit, error, isBusy } = useSubmit();
  const hasOne = tokens.data.some(({ revoked_at }) => revoked_at === null);
  const make = async () => {
    const name = words.tokenName(vehicle.name).slice(0, maxNameLength).trim();
    setMade(await send("POST /fleet/tokens", { name }));
    focusStep(2);
    announce(words.copyNow);
  };
  if (made !== null) {
    return (
      <>
        <Notice kind="warning">{words.copyNow}</Notice>
        <AddressNote address={made.ingest} />
        <TrackerLines address={made.ingest} token={made.token} imei={vehicle.imei} firstWay="traccar_client" />
      </>
    );
  }
  return (
    <>
      <p>{hasOne ? words.hasToken : words.trackerWhat}</p>
      {error !== null && <ErrorNotice error={error} />}
      <button
        type="button"
        className={`button button-own-width ${hasOne ? "" : "button-primary"}`}
        disabled={isBusy}
        onClick={() => submit(make)}
      >
        {isBusy ? words.makingToken : hasOne ? words.anotherToken : words.makeToken}
      </button>
    </>
  );
}

/** The first vehicle. Trackers that have reported without one are offered. */
function VehicleStep({ onAdded }: { readonly onAdded: (vehicle: FleetVehicle) => void }) {
  const { setup: words, vehicles } = useAdministrationTexts();
  const unknown = useUnknownImeis();
  return (
    <VehicleShortForm
      imeiHint={words.imeiHint}
      after={(setImei) =>
        unknown.length > 0 && (
          <div>
            <p>{words.reported}</p>
            <p className="button-row">
              {unknown.slice(0, 5).map((imei) => (
                <Button key={imei} look="small" text={words.take(imei)} onClick={() => setImei(imei)} />
              ))}
            </p>
          </div>
        )
      }
      addText={vehicles.addIt}
      onAdded={(vehicle) => {
        announce(`${vehicles.add}: ${words.done}`);
        focusStep(2);
        onAdded(vehicle);
      }}
    />
  );
}
