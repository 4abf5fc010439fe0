import { useState } from "react";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import { PortalError, send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { Field } from "../common/fields/field.tsx";
import { ErrorNotice } from "../common/loading/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useUnknownImeis } from "../vehicles/refused-trackers.tsx";
import { vehicleProblems } from "../vehicles/vehicle-form.ts";
import { focusStep } from "./step.tsx";

/** The first vehicle: a name and the tracker's IMEI. All else can be added later. */
export function VehicleStep({ onAdded }: { readonly onAdded: (vehicle: FleetVehicle) => void }) {
  const texts = useAdministrationTexts();
  const { setup: words, vehicles } = texts;
  const [name, setName] = useState("");
  const [imei, setImei] = useState("");
  const { submit, error, isBusy } = useSubmit();
  const unknown = useUnknownImeis();
  const fields = { name: name.trim(), imei: imei.replaceAll(/[\s-]/g, "") };
  const add = async () => {
    const { data } = await send("POST /fleet/devices", { fields });
    announce(`${vehicles.add}: ${words.done}`);
    focusStep(2);
    onAdded(data);
  };
  const problems = vehicleProblems(error, texts, vehicles.problems, fields);
  const isOfField = error instanceof PortalError && Object.keys(problems).length > 0;
  return (
    <form onSubmit={(event) => submit(add, event)} className="start-form column gap-4 fit">
      {error !== null && !isOfField && <ErrorNotice error={error} />}
      <Field
        label={words.vehicleName}
        name="vehicle_name"
        required
        maxLength={200}
        autoComplete="off"
        placeholder={words.vehicleExample}
        value={name}
        onChange={({ target }) => setName(target.value)}
        problem={problems.name}
      />
      <Field
        label={words.imei}
        name="imei"
        required
        inputMode="numeric"
        autoComplete="off"
        maxLength={30}
        value={imei}
        onChange={({ target }) => setImei(target.value)}
        hint={words.imeiHint}
        problem={problems.imei}
      />
      {unknown.length > 0 && (
        <div>
          <p>{words.reported}</p>
          <p className="button-row">
            {unknown.slice(0, 5).map((imei) => (
              <Button key={imei} look="small" text={words.take(imei)} onClick={() => setImei(imei)} />
            ))}
          </p>
        </div>
      )}
      <Button type="submit" look="primary own-width" text={isBusy ? words.adding : vehicles.addIt} disabled={isBusy} />
    </form>
  );
}
