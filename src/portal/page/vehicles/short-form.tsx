import { type ReactNode, useState } from "react";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import { PortalError, send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import type { IconName } from "../common/elements/icon.tsx";
import { ErrorNotice } from "../common/loading/notice.tsx";
import { useReplaceSession, useSession } from "../common/session.ts";
import { forgetDevices } from "../common/vehicles/use-devices.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { changedVehicleFields, vehicleFormOf, vehicleProblems } from "./vehicle-form.ts";
import { VehicleInput } from "./vehicle-input.tsx";

type KnownFields = Parameters<typeof vehicleFormOf>[0];

interface VehicleShortFormProps {
  /** What is known before. An IMEI is then asked for only if the server refuses it. */
  readonly known?: KnownFields;
  /** May be changed. */
  readonly suggestedImei?: string;
  /** Unless they are the usual ones. */
  readonly imeiLabel?: string;
  readonly imeiHint?: string;
  /** What else is stored of a vehicle with this IMEI. */
  readonly moreOf?: (imei: string) => KnownFields;
  readonly before?: ReactNode;
  readonly after?: (setImei: (imei: string) => void) => ReactNode;
  readonly addText: string;
  readonly addIcon?: IconName;
  readonly onAdded: (vehicle: FleetVehicle) => void;
}

/** Of what is typed here nothing is in units. */
const anyUnit = 1;
const emptyForm = vehicleFormOf({}, anyUnit);

/** A name and an IMEI make a vehicle: all else can be added later. */
export function VehicleShortForm(props: VehicleShortFormProps) {
  const {
    known = {},
    suggestedImei = "",
    imeiLabel,
    imeiHint,
    moreOf,
    before,
    after,
    addText,
    addIcon,
    onAdded,
  } = props;
  const texts = useAdministrationTexts();
  const { common, vehicles: words } = texts;
  const session = useSession();
  const replaceSession = useReplaceSession();
  const [name, setName] = useState("");
  const [imei, setImei] = useState(known.imei ?? suggestedImei);
  const { submit, error, isBusy } = useSubmit();
  const more = moreOf?.(imei.replaceAll(/[\s-]/g, ""));
  const form = vehicleFormOf({ ...known, ...more, name, imei }, anyUnit);
  const fields = { ...changedVehicleFields(emptyForm, form, anyUnit), name: name.trim() };
  const add = async () => {
    const { data } = await send("POST /fleet/devices", { fields });
    announce(words.added(data.name));
    forgetDevices();
    if (!session.has_vehicles) replaceSession({ ...session, has_vehicles: true });
    onAdded(data);
  };
  const problems = vehicleProblems(error, texts, words.problems, fields);
  const isOfField = error instanceof PortalError && Object.keys(problems).length > 0;
  const others = Object.entries(problems).filter(([field]) => field !== "name" && field !== "imei");
  return (
    <form onSubmit={(event) => submit(add, event)} className="start-form column gap-4 fit">
      {before}
      {error !== null && !isOfField && <ErrorNotice error={error} />}
      {others.map(([field, problem]) => (
        <p key={field} className="problem">
          {problem}
        </p>
      ))}
      <VehicleInput name="name" value={name} onChange={setName} problem={problems.name} />
      {((known.imei ?? "") === "" || problems.imei !== undefined) && (
        <VehicleInput
          name="imei"
          value={imei}
          onChange={setImei}
          {...(imeiLabel !== undefined && { label: imeiLabel })}
          {...(imeiHint !== undefined && { hint: imeiHint })}
          problem={problems.imei}
        />
      )}
      {after?.(setImei)}
      <Button
        type="submit"
        look="primary own-width"
        icon={addIcon}
        text={isBusy ? common.saving : addText}
        isBusy={isBusy}
      />
    </form>
  );
}
