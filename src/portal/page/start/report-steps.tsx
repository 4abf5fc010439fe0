import { useState } from "react";
import type { MadeToken, TokenList } from "../../both-sides/contract/trackers.ts";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import { send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { ErrorNotice, LoadState, Notice } from "../common/loading/notice.tsx";
import { useAnswer } from "../common/loading/use-load.ts";
import { focusStep, SetupStep } from "../setup/step.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { AddressNote, TrackerLines } from "../trackers/tracker-lines.tsx";
import type { TrackerWay } from "../trackers/tracker-ways.ts";
import { useUnknownImeis } from "../vehicles/refused-trackers.tsx";
import { VehicleShortForm } from "../vehicles/short-form.tsx";
import { ArrivalStep, useArrival } from "./arrival-step.tsx";
import { madeUpImei } from "./made-up-imei.ts";

/** What sends reports with a token. */
type Sender = "phone" | "gateway";

/** For each the usual way comes first. */
const waysOf: Readonly<Record<Sender, readonly TrackerWay[]>> = {
  phone: ["traccar_client", "owntracks", "osmand"],
  gateway: ["traccar", "mqtt", "curl"],
};

interface ReportStepsProps {
  readonly having: Sender;
  /** The vehicle that was added before; null: none. */
  readonly begun: FleetVehicle | null;
}

/** A vehicle, what to set where it reports from, and its first report. */
export function ReportSteps({ having, begun }: ReportStepsProps) {
  const { setup: words, start, vehicles } = useAdministrationTexts();
  const tokens = useAnswer("GET /fleet/tokens");
  // Loading again must not replace the one that was just added by another.
  const [added, setAdded] = useState<FleetVehicle | null>(null);
  const vehicle = added ?? begun;
  const arrival = useArrival(vehicle);
  const isHere = arrival.position !== null;
  return (
    <>
      <LoadState {...tokens} />
      {tokens.loaded.data !== null && (
        <ol className="column gap-4">
          <SetupStep number={1} title={vehicles.add} state={vehicle === null ? "current" : "done"}>
            {vehicle === null ? (
              <VehicleStep
                having={having}
                onAdded={(vehicle) => {
                  focusStep(2);
                  setAdded(vehicle);
                }}
              />
            ) : (
              <p>
                <strong>{vehicle.name}</strong> · IMEI <code>{vehicle.imei}</code>
              </p>
            )}
          </SetupStep>
          <SetupStep
            number={2}
            title={having === "phone" ? start.appStep : words.trackerStep}
            state={vehicle === null ? "later" : isHere || arrival.hasReported ? "done" : "current"}
          >
            {vehicle !== null && !isHere && (
              <TokenStep vehicle={vehicle} tokens={tokens.loaded.data} ways={waysOf[having]} />
            )}
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
    </>
  );
}

interface TokenStepProps {
  readonly vehicle: FleetVehicle;
  readonly tokens: TokenList;
  readonly ways: readonly TrackerWay[];
}

/** As the server takes it. */
const maxNameLength = 100;

function TokenStep({ vehicle, tokens, ways }: TokenStepProps) {
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
        <TrackerLines address={made.ingest} token={made.token} imei={vehicle.imei} offered={ways} />
      </>
    );
  }
  return (
    <>
      <p>{hasOne ? words.hasToken : words.trackerWhat}</p>
      {error !== null && <ErrorNotice error={error} />}
      <Button
        look={hasOne ? "own-width" : "primary own-width"}
        text={isBusy ? words.makingToken : hasOne ? words.anotherToken : words.makeToken}
        isBusy={isBusy}
        onClick={() => submit(make)}
      />
    </>
  );
}

interface VehicleStepProps {
  readonly having: Sender;
  readonly onAdded: (vehicle: FleetVehicle) => void;
}

/** The first vehicle. What has reported without one is offered. */
function VehicleStep({ having, onAdded }: VehicleStepProps) {
  const { setup: words, start, vehicles } = useAdministrationTexts();
  const unknown = useUnknownImeis();
  const [phoneImei] = useState(madeUpImei);
  return (
    <VehicleShortForm
      {...(having === "phone" && {
        suggestedImei: phoneImei,
        imeiLabel: start.appNumber,
        imeiHint: start.phoneImeiHint,
      })}
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
      onAdded={onAdded}
    />
  );
}
