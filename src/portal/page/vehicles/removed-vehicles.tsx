import { useEffect, useState } from "react";
import { to } from "../../both-sides/address.ts";
import type { RemovedVehicle, RemovedVehicles } from "../../both-sides/contract/vehicles.ts";
import { PortalError, send } from "../api/request.ts";
import { ConfirmDialog } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { ErrorNotice, Notice } from "../common/loading/notice.tsx";
import { Time } from "../common/reading/time.tsx";
import { useTypedName } from "../fleet/remove-dialog.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

/** Erasing a vehicle with years of history takes a while. */
const lookEveryMs = 3_000;

interface RemovedListProps {
  readonly removed: RemovedVehicles;
  readonly onChange: () => void;
  readonly onBack: (vehicle: RemovedVehicle) => void;
  readonly onErased: () => void;
}

/** Vehicles that were removed and kept. Nothing if there are none. */
export function RemovedList({ removed: { data, being_erased }, onChange, onBack, onErased }: RemovedListProps) {
  const { vehicles: words, fleet, show } = useAdministrationTexts();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [erased, setErased] = useState<RemovedVehicle | null>(null);
  const isErasing = being_erased.length > 0;
  useEffect(() => {
    if (!isErasing) return;
    const timer = setInterval(onChange, lookEveryMs);
    return () => clearInterval(timer);
  }, [isErasing, onChange]);
  const erasing = isErasing && (
    <p className="quiet">{words.beingErased(being_erased.length, show.number(being_erased.length))}</p>
  );
  if (data.length === 0) return erasing;
  const putBack = async (vehicle: RemovedVehicle) => {
    if (busy !== null) return;
    setBusy(vehicle.device_id);
    setError(null);
    try {
      await send(to("POST /fleet/removed-devices/{device_id}/restore", { device_id: vehicle.device_id }));
      announce(words.isBack(vehicle.name));
      onBack(vehicle);
    } catch (cause) {
      // The list says why, in the person's language: the IMEI is taken, or the vehicle is being erased.
      if (cause instanceof PortalError && cause.status === 409) onChange();
      else setError(cause);
    } finally {
      setBusy(null);
    }
  };
  return (
    <details className="card removed-vehicles">
      <summary>{words.removedTitle(show.number(data.length))}</summary>
      <p className="quiet">{words.removedWhat}</p>
      {erasing}
      {error !== null && <ErrorNotice error={error} />}
      <ul className="removed-list">
        {data.map((vehicle) => (
          <li key={vehicle.device_id}>
            <div>
              <strong>{vehicle.name}</strong>{" "}
              <span className="quiet">{[vehicle.plate, vehicle.imei].filter(Boolean).join(" · ")}</span>
              <p className="hint">
                {words.removedAt} <Time at={vehicle.removed_at} />
              </p>
              {vehicle.taken !== null && (
                <Notice kind="info">
                  {(vehicle.is_taken_elsewhere ? words.takenElsewhere : words.takenByOther)(
                    words.trackerNames[vehicle.taken.field](vehicle.taken.value),
                  )}
                </Notice>
              )}
            </div>
            <div className="row-actions">
              <Button
                look="small"
                text={words.putBack}
                aria-label={words.putBackWhat(vehicle.name)}
                disabled={vehicle.taken !== null}
                aria-disabled={busy !== null}
                onClick={() => putBack(vehicle)}
              />
              <Button
                look="small danger"
                text={fleet.erase}
                aria-label={words.eraseThis(vehicle.name)}
                onClick={() => setErased(vehicle)}
              />
            </div>
          </li>
        ))}
      </ul>
      {erased && (
        <EraseDialog
          vehicle={erased}
          onClose={() => setErased(null)}
          onErased={() => {
            setErased(null);
            onErased();
          }}
        />
      )}
    </details>
  );
}

interface EraseDialogProps {
  readonly vehicle: RemovedVehicle;
  readonly onClose: () => void;
  readonly onErased: () => void;
}

function EraseDialog({ vehicle: { device_id: id, name }, onClose, onErased }: EraseDialogProps) {
  const { vehicles: words, fleet } = useAdministrationTexts();
  const confirmation = useTypedName(name, words.typeName);
  const erase = async () => {
    await send(to("POST /fleet/removed-devices/{device_id}/erase", { device_id: id }));
    announce(words.erased(name));
    onErased();
  };
  return (
    <ConfirmDialog
      title={words.eraseTitle(name)}
      words={[fleet.erase, fleet.removing, words.keepRemoved]}
      isDisabled={!confirmation.isTyped}
      work={erase}
      onClose={onClose}
    >
      <p>{words.eraseWhat}</p>
      {confirmation.field}
    </ConfirmDialog>
  );
}
