import { type ReactNode, useState } from "react";
import type { SentTo } from "../../both-sides/contract/contract.ts";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import { PortalError, send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import type { IconName } from "../common/elements/icon.tsx";
import { Field } from "../common/fields/field.tsx";
import { ErrorNotice } from "../common/loading/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { vehicleProblems } from "./vehicle-form.ts";

interface ImeiFieldProps {
  readonly value: string;
  readonly onChange: (imei: string) => void;
  readonly hint: string;
  readonly problem: string | undefined;
}

export function ImeiField({ onChange, ...field }: ImeiFieldProps) {
  const { setup: words } = useAdministrationTexts();
  return (
    <Field
      {...field}
      label={words.imei}
      name="imei"
      doubt="imei"
      required
      inputMode="numeric"
      autoComplete="off"
      maxLength={30}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** An IMEI is read off in groups. */
export const imeiDigits = (typed: string) => typed.replaceAll(/[\s-]/g, "");

interface VehicleShortFormProps {
  /** What is known before: with an IMEI, it is asked for only if the server refuses it. */
  readonly knownImei?: string;
  readonly imeiHint: string;
  /** What else is stored of the vehicle. */
  readonly moreOf?: (imei: string) => Partial<SentTo<"POST /fleet/devices">["fields"]>;
  readonly before?: ReactNode;
  readonly after?: (setImei: (imei: string) => void) => ReactNode;
  readonly addText: string;
  readonly addIcon?: IconName;
  readonly onAdded: (vehicle: FleetVehicle) => void;
}

/** A name and an IMEI make a vehicle: all else can be added later. */
export function VehicleShortForm(props: VehicleShortFormProps) {
  const { knownImei = "", imeiHint, moreOf, before, after, addText, addIcon, onAdded } = props;
  const texts = useAdministrationTexts();
  const { setup: words, vehicles } = texts;
  const [name, setName] = useState("");
  const [imei, setImei] = useState(knownImei);
  const { submit, error, isBusy } = useSubmit();
  const digits = imeiDigits(imei);
  const fields = { name: name.trim(), imei: digits, ...moreOf?.(digits) };
  const add = async () => onAdded((await send("POST /fleet/devices", { fields })).data);
  const problems = vehicleProblems(error, texts, vehicles.problems, fields);
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
      {(knownImei === "" || problems.imei !== undefined) && (
        <ImeiField value={imei} onChange={setImei} hint={imeiHint} problem={problems.imei} />
      )}
      {after?.(setImei)}
      <Button
        type="submit"
        look="primary own-width"
        icon={addIcon}
        text={isBusy ? words.adding : addText}
        disabled={isBusy}
      />
    </form>
  );
}
