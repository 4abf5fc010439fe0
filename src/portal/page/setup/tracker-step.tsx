import { useState } from "react";
import { send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { useSubmit } from "../common/form-dialog.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { AddressNote } from "../trackers/address-note.tsx";
import type { MadeToken, TokenList } from "../trackers/token-records.ts";
import { TrackerLines } from "../trackers/tracker-lines.tsx";
import type { FleetVehicle } from "../vehicles/vehicle-records.ts";
import { focusStep } from "./step.tsx";

interface TrackerStepProps {
  readonly vehicle: FleetVehicle;
  readonly tokens: TokenList;
}

/** As the server takes it. */
const maxNameLength = 100;

/** A token, and what to paste where. */
export function TrackerStep({ vehicle, tokens }: TrackerStepProps) {
  const { setup: words } = useAdministrationTexts();
  const [made, setMade] = useState<MadeToken | null>(null);
  const { submit, error, isBusy } = useSubmit();
  const hasOne = tokens.data.some(({ revoked_at }) => revoked_at === null);
  const make = async () => {
    const name = words.tokenName(vehicle.name).slice(0, maxNameLength).trim();
    setMade(await send<MadeToken>("POST", "/fleet/tokens", { name }));
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
