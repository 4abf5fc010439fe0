import { useCallback, useEffect, useId, useRef, useState } from "react";
import type { Place } from "../../../domain/geometry/distance.ts";
import { to } from "../../both-sides/address.ts";
import type { Device } from "../../both-sides/contract/data.ts";
import type { IngestAddress, IngestToken, MadeToken } from "../../both-sides/contract/trackers.ts";
import { getPage } from "../api/pages.ts";
import { send } from "../api/request.ts";
import { Copyable } from "../common/elements/copyable.tsx";
import { FindOne, maxListed } from "../common/fields/find-one.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { useAnswer, useLoad } from "../common/loading/use-load.ts";
import { useAddress } from "../common/navigation/address.ts";
import { Link } from "../common/navigation/route.tsx";
import { useNow } from "../common/reading/clock.ts";
import { Time } from "../common/reading/time.tsx";
import { useDevices, useVehiclesByName } from "../common/vehicles/use-devices.ts";
import { CreateDialog } from "../credentials/create-dialog.tsx";
import { Credentials } from "../credentials/credentials.tsx";
import { MadeSecretDialog } from "../credentials/made-secret-dialog.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { AddressNote, TrackerLines } from "./tracker-lines.tsx";

/** Who may send frames, and what to paste where for it. */
export default function TrackersPage() {
  const { trackers: words, connect, common, credentials } = useAdministrationTexts();
  const loading = useAnswer("GET /fleet/tokens");
  const ingest = loading.loaded.data?.ingest ?? null;
  const now = useNow(30_000);
  const lines = useRef<HTMLHeadingElement>(null);
  const isForVehicle = useAddress().get("vehicle") !== null;
  const isThere = ingest !== null;
  useEffect(() => {
    if (isForVehicle && isThere) lines.current?.focus();
  }, [isForVehicle, isThere]);
  return (
    <>
      <Credentials<IngestToken, MadeToken>
        words={words}
        caption={words.tokens}
        about={words.what}
        before={
          <section className="card connect-offer middle" aria-labelledby="connect-offer">
            <div>
              <h2 id="connect-offer">{connect.offer}</h2>
              <p className="quiet">{connect.offerWhat}</p>
            </div>
            <Link to="/fleet/connect" className="button button-primary">
              {connect.title}
            </Link>
          </section>
        }
        icon="target"
        loading={loading}
        revoke={({ token_id }) => send(to("POST /fleet/tokens/{token_id}/revoke", { token_id }))}
        idOf={({ token_id }) => token_id}
        stateOf={({ revoked_at }) => (revoked_at === null ? "active" : "revoked")}
        isLasting={({ revoked_at }) => revoked_at === null}
        badges={({ revoked_at, still_sends }) => (
          <>
            {revoked_at !== null && <span className="badge badge-revoked">{words.revokedBadge}</span>}
            {still_sends && <span className="badge badge-sends">{words.sends}</span>}
          </>
        )}
        columns={[
          { label: words.created, cell: (token) => <Time at={token.created_at} detail="date" /> },
          {
            label: credentials.lastUsed,
            cell: (token) => (token.last_used_at === null ? common.never : <Time at={token.last_used_at} now={now} />),
          },
        ]}
        createDialog={(then) => (
          <CreateDialog {...then} words={words} creationOf={(name) => () => send("POST /fleet/tokens", { name })} />
        )}
        madeDialog={(made, onClose) => (
          <MadeSecretDialog title={words.ready(made.data.name)} words={words} onClose={onClose}>
            <Copyable title={words.token} text={made.token} testId="made-token" />
            <AddressNote address={made.ingest} />
            <VehicleLines address={made.ingest} token={made.token} />
          </MadeSecretDialog>
        )}
        revokeNote={(token) => <LastUse token={token} now={now} />}
      />
      {ingest !== null && (
        <section className="card" aria-labelledby="tracker-lines">
          <h2 ref={lines} id="tracker-lines" tabIndex={-1}>
            {words.lines}
          </h2>
          <p className="quiet">
            {words.linesWhat} {words.placeholder}
          </p>
          <AddressNote address={ingest} />
          <VehicleLines address={ingest} token={null} />
        </section>
      )}
    </>
  );
}

/** Whether something still sends with the token. */
function LastUse({ token, now }: { readonly token: IngestToken; readonly now: number }) {
  const { trackers: words, show } = useAdministrationTexts();
  const ago = token.last_used_at === null ? null : show.age(now - Date.parse(token.last_used_at));
  if (!token.still_sends) return <p>{ago === null ? words.neverSent : words.lastSent(ago)}</p>;
  return ago !== null && <Notice kind="warning">{words.stillSends(ago)}</Notice>;
}

interface VehicleLinesProps {
  readonly address: IngestAddress;
  readonly token: string | null;
}

function VehicleLines({ address, token }: VehicleLinesProps) {
  const { trackers: words } = useAdministrationTexts();
  const devices = useDevices();
  const vehicles = useVehiclesByName();
  // The page of vehicles leads here with a new one.
  const { get } = useAddress();
  const [chosen, setChosen] = useState(() => get("vehicle"));
  const vehicle = vehicles.find(({ device_id }) => device_id === chosen) ?? vehicles[0] ?? null;
  const place = usePlaceOf(vehicle);
  return (
    <>
      {vehicle === null ? (
        devices !== null && <p className="quiet">{words.noVehicle}</p>
      ) : (
        <VehicleChoice vehicles={vehicles} chosen={vehicle} onChoose={setChosen} />
      )}
      <TrackerLines address={address} token={token} imei={vehicle?.imei ?? null} place={place} />
    </>
  );
}

/** Where it is now, so that trying a line moves nothing. */
function usePlaceOf(vehicle: Device | null): Place | null {
  const imei = vehicle?.imei ?? null;
  const load = useCallback(
    async (signal: AbortSignal): Promise<Place | null> => {
      if (imei === null) return null;
      const { data } = await getPage("positions/latest", { imei }, signal);
      const [{ latitude = null, longitude = null } = {}] = data;
      return latitude === null || longitude === null ? null : { latitude, longitude };
    },
    [imei],
  );
  return useLoad(load).loaded.data;
}

interface VehicleChoiceProps {
  readonly vehicles: readonly Device[];
  readonly chosen: Device;
  readonly onChoose: (deviceId: string) => void;
}

function VehicleChoice({ vehicles, chosen, onChoose }: VehicleChoiceProps) {
  const id = useId();
  const { common } = useAdministrationTexts();
  const options = vehicles.map(({ device_id, name }) => [device_id, name] as const);
  return (
    <div className="field tracker-vehicle">
      <label htmlFor={id}>{common.vehicle}</label>
      {vehicles.length > maxListed ? (
        <FindOne id={id} options={options} present={chosen.name} onFound={onChoose} />
      ) : (
        <select id={id} value={chosen.device_id} onChange={({ target }) => onChoose(target.value)}>
          {options.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
