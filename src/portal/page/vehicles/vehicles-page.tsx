import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { trackerKey } from "../../../domain/text/identifiers.ts";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import { getJson } from "../api/request.ts";
import { Button } from "../common/elements/button.tsx";
import { EmptyState, ErrorNotice, LoadState, Notice } from "../common/loading/notice.tsx";
import { loadable, useLoad } from "../common/loading/use-load.ts";
import { useAddress } from "../common/navigation/address.ts";
import { PageHead, useFocusAfterRemoval } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { forgetDevices } from "../common/vehicles/use-devices.ts";
import { FirstStepsNotice } from "../setup/first-steps.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { forgetTrackerFaults } from "../tracker-faults/use-tracker-faults.ts";
import { RefusedTrackers } from "./refused-trackers.tsx";
import { RemovedList } from "./removed-vehicles.tsx";
import type { SeveralKind } from "./several-dialog.tsx";
import { protocolIn } from "./tracker-protocol.ts";
import type { KnownTracker } from "./vehicle-dialog.tsx";
import { VehicleList } from "./vehicle-list.tsx";
import { loadVehicles, tagsOf } from "./vehicle-records.ts";

// Loaded when they are first opened.
const VehicleDialog = loadable(() => import("./vehicle-dialog.tsx"));
const SeveralDialog = loadable(() => import("./several-dialog.tsx"));
const ImportDialog = loadable(() => import("./import-dialog.tsx"));
const RemoveVehicle = loadable(() => import("./remove-vehicle.tsx"));

const loadFleet = async (signal: AbortSignal) => {
  const [vehicles, users] = await Promise.all([loadVehicles(signal), getJson("GET /users", signal)]);
  return { vehicles, people: users.data };
};

const loadRemoved = (signal: AbortSignal) => getJson("GET /fleet/removed-devices", signal);

type OpenVehicle =
  | { readonly dialog: "import" }
  | { readonly dialog: "several"; readonly kind: SeveralKind; readonly ids: ReadonlySet<string> }
  | { readonly dialog: "remove"; readonly vehicle: FleetVehicle };

const noVehicles: readonly FleetVehicle[] = [];

/** The owner's vehicles. `add` and `edit` in the address open the form, so that other pages can lead to it. */
export default function VehiclesPage() {
  const { vehicles: words, map, show } = useAdministrationTexts();
  const address = useAddress();
  const { loaded, reload, replace } = useLoad(loadFleet);
  const { loaded: removed, reload: reloadRemoved } = useLoad(loadRemoved);
  const [open, setOpen] = useState<OpenVehicle | null>(null);
  const [done, setDone] = useState<Done | null>(null);
  const vehicles = loaded.data?.vehicles ?? noVehicles;
  const knownTags = useMemo(() => tagsOf(vehicles, show.compare), [vehicles, show]);
  const keys = useMemo(() => {
    return new Set(vehicles.flatMap(({ imei, tracker_id }) => [imei, tracker_id ?? imei].map(trackerKey)));
  }, [vehicles]);
  const focusAfterRemoval = useFocusAfterRemoval(loaded);
  const close = () => {
    setOpen(null);
    address.set({ add: null, edit: null, clock: null, tracker: null, protocol: null });
  };
  // Other pages have a list of their own, which is no longer right.
  const change = useCallback(() => {
    forgetDevices();
    reload();
    reloadRemoved();
  }, [reload, reloadRemoved]);
  const closeAndChange = () => {
    close();
    change();
  };
  const put = (saved: FleetVehicle) => {
    close();
    setDone(edited === null ? { what: "added", id: saved.device_id, name: saved.name } : null);
    replace((data) => {
      const others = data.vehicles.filter(({ device_id }) => device_id !== saved.device_id);
      return { ...data, vehicles: [...others, saved] };
    });
    forgetDevices();
    forgetTrackerFaults();
  };
  const added = address.get("add");
  const edited = vehicles.find(({ device_id }) => device_id === address.get("edit")) ?? null;
  const isFormOpen = loaded.data !== null && open === null && (added !== null || edited !== null);
  const isEmpty = loaded.state === "ready" && vehicles.length === 0;
  const add = (tracker: Partial<KnownTracker> = {}) => {
    const { imei = "", tracker_id = null, tracker_protocol = null } = tracker;
    address.set({ add: imei, tracker: tracker_id, protocol: tracker_protocol, edit: null });
  };
  const edit = (id: string) => address.set({ edit: id, add: null });
  const people = loaded.data?.people ?? [];
  const addButton = (text: string) => <Button look="primary" icon="plus" text={text} onClick={() => add()} />;
  const importButton = <Button text={words.importMany} onClick={() => setOpen({ dialog: "import" })} />;
  return (
    <>
      <PageHead title={words.title} text={words.what}>
        {!isEmpty && (
          <div className="button-row">
            {importButton}
            {addButton(words.add)}
          </div>
        )}
      </PageHead>
      <LoadState loaded={loaded} reload={reload} />
      {done && <DoneNotice key={`${done.what} ${done.id}`} done={done} onEdit={edit} />}
      <RefusedTrackers keys={keys} onAdd={add} />
      {isEmpty && (
        <EmptyState icon="map" title={map.noVehicles}>
          <p>{words.firstSteps}</p>
          {addButton(map.addFirst)}
          {importButton}
        </EmptyState>
      )}
      {vehicles.length > 0 && vehicles.every(({ last_seen_at }) => last_seen_at === null) && <FirstStepsNotice />}
      {vehicles.length > 0 && (
        <VehicleList
          vehicles={vehicles}
          people={people}
          knownTags={knownTags}
          onEdit={edit}
          onSeveral={(kind, ids) => setOpen({ dialog: "several", kind, ids })}
        />
      )}
      {removed.state === "failed" && <ErrorNotice error={removed.error} retry={reloadRemoved} />}
      {removed.data && (
        <RemovedList
          removed={removed.data}
          onChange={change}
          onBack={({ device_id: id, name }) => {
            setDone({ what: "back", id, name });
            change();
          }}
          onErased={() => {
            focusAfterRemoval();
            change();
          }}
        />
      )}
      <Suspense>
        {isFormOpen && (
          <VehicleDialog
            key={`${edited?.device_id ?? "new"} ${address.get("clock") ?? ""}`}
            vehicle={edited}
            tracker={{
              imei: added ?? "",
              tracker_id: address.get("tracker"),
              tracker_protocol: protocolIn(address.get("protocol")),
            }}
            clock={address.get("clock")}
            people={people}
            knownTags={knownTags}
            onClose={close}
            onSaved={put}
            onRemove={(vehicle) => setOpen({ dialog: "remove", vehicle })}
          />
        )}
        {open?.dialog === "import" && <ImportDialog onClose={close} onImported={closeAndChange} />}
        {open?.dialog === "several" && (
          <SeveralDialog
            kind={open.kind}
            vehicles={vehicles.filter(({ device_id }) => open.ids.has(device_id))}
            people={people}
            knownTags={knownTags}
            onClose={close}
            onSaved={closeAndChange}
            onConflict={change}
          />
        )}
        {open?.dialog === "remove" && (
          <RemoveVehicle
            vehicle={open.vehicle}
            people={people}
            onStale={change}
            onClose={close}
            onRemoved={() => {
              // The row disappears with the button that had the focus.
              focusAfterRemoval();
              setDone(null);
              closeAndChange();
            }}
          />
        )}
      </Suspense>
    </>
  );
}

interface Done {
  readonly what: "added" | "back";
  readonly id: string;
  readonly name: string;
}

interface DoneNoticeProps {
  readonly done: Done;
  readonly onEdit: (id: string) => void;
}

/** Says that it is done, and leads to what comes next. */
function DoneNotice({ done: { what, id, name }, onEdit }: DoneNoticeProps) {
  const { vehicles: words } = useAdministrationTexts();
  const box = useRef<HTMLDivElement>(null);
  // The button that put it back is gone with its row.
  useEffect(() => {
    if (what === "back") box.current?.focus();
  }, [what]);
  return (
    <div ref={box} tabIndex={-1} className="done-notice">
      <Notice kind="success">
        {what === "added" ? (
          <>
            <p>
              <strong>{words.added(name)}.</strong> {words.addedNext}
            </p>
            <p>
              <Link to={`/fleet/trackers?vehicle=${id}`}>{words.trackerLines}</Link>
            </p>
          </>
        ) : (
          <>
            <p>
              <strong>{words.isBack(name)}.</strong> {words.backNext}
            </p>
            <Button look="small" text={words.chooseWhoSees} onClick={() => onEdit(id)} />
          </>
        )}
      </Notice>
    </div>
  );
}
