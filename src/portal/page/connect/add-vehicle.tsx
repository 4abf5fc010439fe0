import { useState } from "react";
import { trackerKey } from "../../../domain/text/identifiers.ts";
import type { ExpectedTrackerRecord } from "../../both-sides/contract/trackers.ts";
import { PortalError, send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { Field } from "../common/fields/field.tsx";
import { ErrorNotice } from "../common/loading/notice.tsx";
import { useReplaceSession, useSession } from "../common/session.ts";
import { forgetDevices } from "../common/vehicles/use-devices.ts";
import { focusStep } from "../setup/step.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { vehicleProblems } from "../vehicles/vehicle-form.ts";
import type { Identity } from "./identity-form.tsx";

interface AddVehicleProps {
  readonly identity: Identity;
  readonly model: string | null;
  readonly expected: readonly ExpectedTrackerRecord[];
  readonly onAdded: () => void;
}

/** The tracker called: with a name it is a vehicle, bound to the protocol that it speaks. */
export function AddVehicle({ identity, model, expected, onAdded }: AddVehicleProps) {
  const texts = useAdministrationTexts();
  const { connect: words, setup, vehicles } = texts;
  const session = useSession();
  const replaceSession = useReplaceSession();
  const [name, setName] = useState("");
  const [imei, setImei] = useState(identity.imei);
  const { submit, error, isBusy } = useSubmit();
  const caller = expected.find(({ called_at }) => called_at !== null);
  const digits = imei.replaceAll(/[\s-]/g, "");
  const callsItself = caller?.tracker ?? "";
  const fields = {
    name: name.trim(),
    imei: digits,
    tracker_id: trackerKey(callsItself) === trackerKey(digits) ? null : callsItself,
    tracker_protocol: caller?.last_protocol ?? null,
    ...(model !== null && { tracker_model: model }),
  };
  const add = async () => {
    const { data } = await send("POST /fleet/devices", { fields });
    announce(vehicles.added(data.name));
    focusStep(4);
    forgetDevices();
    if (!session.has_vehicles) replaceSession({ ...session, has_vehicles: true });
    onAdded();
  };
  const problems = vehicleProblems(error, texts, vehicles.problems, fields);
  const isOfField = error instanceof PortalError && Object.keys(problems).length > 0;
  const others = Object.entries(problems).filter(([field]) => field !== "name" && field !== "imei");
  return (
    <form onSubmit={(event) => submit(add, event)} className="start-form column gap-4 fit">
      <p className="quiet">{words.strangerWhat}</p>
      {error !== null && !isOfField && <ErrorNotice error={error} />}
      {others.map(([field, problem]) => (
        <p key={field} className="problem">
          {problem}
        </p>
      ))}
      <Field
        label={setup.vehicleName}
        name="vehicle_name"
        required
        maxLength={200}
        autoComplete="off"
        placeholder={setup.vehicleExample}
        value={name}
        onChange={({ target }) => setName(target.value)}
        problem={problems.name}
      />
      {(identity.imei === "" || problems.imei !== undefined) && (
        <Field
          label={setup.imei}
          name="imei"
          required
          inputMode="numeric"
          autoComplete="off"
          maxLength={30}
          value={imei}
          onChange={({ target }) => setImei(target.value)}
          hint={vehicles.imeiHint}
          problem={problems.imei}
        />
      )}
      <Button
        type="submit"
        look="primary own-width"
        icon="plus"
        text={isBusy ? setup.adding : words.add}
        disabled={isBusy}
      />
    </form>
  );
}
