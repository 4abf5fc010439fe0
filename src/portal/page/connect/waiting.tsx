import { useCallback, useEffect } from "react";
import { trackerKey } from "../../../domain/text/identifiers.ts";
import { to } from "../../both-sides/address.ts";
import type { Device, LatestPosition } from "../../both-sides/contract/data.ts";
import type { TrackerFaultRecord } from "../../both-sides/contract/trackers.ts";
import { getPage } from "../api/pages.ts";
import { getJson, send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { Icon } from "../common/elements/icon.tsx";
import { ErrorNotice, LoadingState, LoadState, Notice } from "../common/loading/notice.tsx";
import { useRepeatedLoad } from "../common/loading/use-repeated-load.ts";
import { Link } from "../common/navigation/route.tsx";
import { useNow } from "../common/reading/clock.ts";
import { VehicleHere } from "../map/vehicle-here.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { FaultNotice } from "../tracker-faults/tracker-fault.tsx";
import { FoldedTrackerMessages } from "../tracker-messages/tracker-messages.tsx";
import { protocolName } from "../vehicles/tracker-protocol.ts";
import { AddVehicle } from "./add-vehicle.tsx";
import type { ConnectionFacts } from "./connection.ts";
import { connectionOf } from "./connection.ts";
import { loadExpected } from "./expected-trackers.tsx";
import type { TypedIdentity } from "./identity-form.tsx";
import { identityName, sendExpectedTracker } from "./identity-form.tsx";
import { recipeOf } from "./recipes.ts";
import { Silent, type SilentProps } from "./silent.tsx";

/** A person sits before the page and waits. */
const lookEveryMs = 2_000;

interface WaitingProps extends SilentProps {
  readonly model: string | null;
  readonly onAnother: () => void;
}

/** Follows a tracker from its first call to the map. */
export function Waiting(props: WaitingProps) {
  const { identity } = props;
  const { connect: words } = useAdministrationTexts();
  const { imei, id } = identity;
  const { loaded, reload } = useRepeatedLoad(
    useCallback((signal: AbortSignal) => lookFor({ imei, id }, signal), [imei, id]),
    lookEveryMs,
  );
  const { submit, error } = useSubmit();
  const arrival = loaded.data;
  if (arrival === null) return <LoadState loaded={loaded} reload={reload} />;
  if (arrival.expected.length === 0) {
    const enter = async () => {
      await sendExpectedTracker(identity);
      reload();
    };
    return (
      <>
        {error !== null && <ErrorNotice error={error} />}
        <Button look="primary own-width" text={words.wait} onClick={() => submit(enter)} />
      </>
    );
  }
  return (
    <>
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} />}
      <Progress {...props} arrival={arrival} onAdded={reload} />
    </>
  );
}

const stages = ["called", "added", "fix", "here"] as const;

/** How many stages are behind it, by the state of the connection. */
const passed = { silent: 0, stranger: 1, returning: 2, other_protocol: 1, no_fix: 2, doubted: 3, here: 4 } as const;

interface ProgressProps extends WaitingProps {
  readonly arrival: Arrival;
  readonly onAdded: () => void;
}

function Progress({ arrival, onAdded, ...props }: ProgressProps) {
  const { identity, model, onAnother } = props;
  const { connect: words, setup, map, show } = useAdministrationTexts();
  const now = useNow(1_000);
  const connection = connectionOf(arrival, now);
  const { vehicle, position, fault } = arrival;
  const name = vehicle?.name ?? identityName(identity);
  const headline = {
    silent: words.silent(identityName(identity)),
    stranger: words.stranger(identityName(identity)),
    returning: words.returning(name),
    other_protocol: words.otherProtocolCalled(name),
    no_fix: words.noFix(name, satellitesIn(connection, show.number.bind(show))),
    doubted: words.doubted(name),
    here: words.here(name),
  }[connection.state];
  // A text with a spinner is read out by itself.
  const isTurn = ["here", "stranger", "other_protocol"].includes(connection.state);
  useEffect(() => {
    if (isTurn) announce(headline);
  }, [isTurn, headline]);
  const isClosedTo = vehicle?.tracker_protocol ?? null;
  const isOther = props.recipe !== null && recipeOf(props.recipe).protocol !== isClosedTo;
  const mayDiffer = isClosedTo !== null && (isOther || connection.state === "other_protocol");
  return (
    <>
      <ol className="stages flex wrap quiet">
        {stages.map((stage, index) => {
          const isDone = index < passed[connection.state] || (stage === "added" && vehicle !== null);
          return (
            <li key={stage} className={isDone ? "stage-done row gap-2" : "row gap-2"}>
              {isDone ? <Icon name="check" /> : <span className="stage-dot round" aria-hidden="true" />}
              {words.stages[stage]}
              {isDone && <span className="visually-hidden"> ({setup.done})</span>}
            </li>
          );
        })}
      </ol>
      {isTurn ? (
        <Notice kind={connection.state === "here" ? "success" : "info"}>
          <p>
            <strong data-testid="headline">{headline}</strong>
          </p>
          {connection.state === "here" && position !== null && (
            <p>{words.hereWhat(show.age(now - Date.parse(position.received_at)))}</p>
          )}
        </Notice>
      ) : (
        <div className="connect-headline" data-testid="headline">
          <LoadingState label={headline.replace(/\.$/, "")} />
        </div>
      )}
      {connection.state === "silent" && <Silent {...props} />}
      {connection.state === "stranger" && (
        <AddVehicle identity={identity} model={model} expected={arrival.expected} onAdded={onAdded} />
      )}
      {connection.state === "returning" && <p className="quiet">{words.returningWhat}</p>}
      {connection.state === "no_fix" && <p className="quiet">{words.noFixWhat}</p>}
      {connection.state === "doubted" && <p className="quiet">{words.doubtedWhat}</p>}
      {vehicle !== null && mayDiffer && connection.state !== "here" && (
        <Notice kind="warning">
          <p>{words.otherProtocol(vehicle.name, protocolName(isClosedTo))}</p>
          <Link to={`/fleet/vehicles?edit=${vehicle.device_id}`}>{words.edit}</Link>
        </Notice>
      )}
      <FaultNotice fault={fault} />
      {connection.state === "here" && position !== null && <VehicleHere position={position} />}
      {vehicle !== null && connection.state === "here" && (
        <p className="button-row">
          <Link to={`/map?vehicle=${vehicle.device_id}`} className="button button-primary">
            {setup.openMap}
          </Link>
          <Link to={`/map/${vehicle.device_id}`} className="button">
            {map.playBack}
          </Link>
          <Button text={words.another} onClick={onAnother} />
        </p>
      )}
      {vehicle !== null && <FoldedTrackerMessages deviceId={vehicle.device_id} />}
    </>
  );
}

function satellitesIn(connection: ReturnType<typeof connectionOf>, shown: (count: number) => string): string | null {
  return connection.state === "no_fix" && connection.satellites !== null ? shown(connection.satellites) : null;
}

/** What the server knows of a tracker that a person waits for. */
interface Arrival extends ConnectionFacts {
  readonly vehicle: Device | null;
  readonly position: LatestPosition | null;
  readonly fault: TrackerFaultRecord | null;
}

async function lookFor({ imei, id }: TypedIdentity, signal: AbortSignal): Promise<Arrival> {
  const keys = [imei, id].filter((name) => name !== "").map(trackerKey);
  const expected = (await loadExpected(signal)).filter(({ tracker }) => keys.includes(trackerKey(tracker)));
  const deviceId = expected.find(({ device_id }) => device_id !== null)?.device_id ?? null;
  if (deviceId === null) return { expected, vehicle: null, position: null, messages: [], fault: null };
  const { data: vehicle } = await getJson(to("GET /data/devices/{device_id}", { device_id: deviceId }), signal);
  const [{ data: positions }, { data: messages }, { data: faults }] = await Promise.all([
    getPage("positions/latest", { imei: vehicle.imei }, signal),
    send(to("POST /fleet/devices/{device_id}/tracker-messages", { device_id: deviceId }), undefined, signal),
    getJson("GET /tracker-faults", signal),
  ]);
  const fault = faults.find(({ device_id }) => device_id === deviceId) ?? null;
  return { expected, vehicle, position: positions[0] ?? null, messages, fault };
}
