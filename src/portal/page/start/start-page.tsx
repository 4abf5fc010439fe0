import { useState } from "react";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import { getJson } from "../api/request.ts";
import { Button } from "../common/elements/button.tsx";
import { LoadState } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { useAddress } from "../common/navigation/address.ts";
import { PageHead } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { ConnectSteps } from "../connect/connect-steps.tsx";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { FileSteps } from "./file-steps.tsx";
import { type Having, HavingChoice, havingIn } from "./having.tsx";
import { LookStep } from "./look-step.tsx";
import { ReportSteps } from "./report-steps.tsx";

/** Leads the owner from an empty account to a dot on the map, by whatever they have. What is done already is read from the server. */
export default function StartPage() {
  return (
    <WithAdministrationTexts>
      <Start />
    </WithAdministrationTexts>
  );
}

interface Begun {
  /** The one that is being set up; null: there is none yet. */
  readonly vehicle: FleetVehicle | null;
  /** What was begun with, as far as it shows. */
  readonly having: Having | null;
}

async function loadBegun(signal: AbortSignal): Promise<Begun> {
  const [{ data }, expected] = await Promise.all([
    getJson("GET /fleet/devices", signal),
    getJson("GET /fleet/expected-trackers", signal),
  ]);
  // Who has several goes on with one that has never reported.
  const vehicle = data.find(({ last_seen_at }) => last_seen_at === null) ?? data[0] ?? null;
  const isCalling = vehicle === null ? expected.data.length > 0 : vehicle.tracker_protocol !== null;
  return { vehicle, having: isCalling ? "tracker" : vehicle && "gateway" };
}

function Start() {
  const { start: words } = useAdministrationTexts();
  const { get, set } = useAddress();
  const loading = useLoad(loadBegun);
  const [isChosenNow, setChosenNow] = useState(false);
  const begun = loading.loaded.data;
  const asked = get("have");
  const having = havingIn(asked) ?? (asked === null ? (begun?.having ?? null) : null);
  const choose = (next: Having | null) => {
    setChosenNow(next !== null);
    set({ have: next ?? "", recipe: null, model: null, imei: null, id: null });
  };
  return (
    <div className="page start column gap-5">
      <PageHead title={words.title} {...(having === null && { text: words.what })}>
        <Link to="/map" className="button">
          {words.lookAround}
        </Link>
      </PageHead>
      <LoadState {...loading} />
      {begun !== null && having === null && <HavingChoice onChoose={choose} />}
      {begun !== null && having !== null && (
        <>
          <p className="row wrap gap-2-4">
            <strong>{words.have[having].title}</strong>
            <Button look="small" text={words.other} onClick={() => choose(null)} />
          </p>
          {having === "tracker" && <ConnectSteps isBegun={isChosenNow} />}
          {(having === "phone" || having === "gateway") && (
            <ReportSteps key={having} having={having} begun={begun.vehicle} />
          )}
          {having === "look" && <LookStep />}
          {having === "file" && <FileSteps onImported={loading.reload} />}
        </>
      )}
    </div>
  );
}
