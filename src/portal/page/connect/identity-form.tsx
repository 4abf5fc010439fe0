import { useState } from "react";
import { isImei, isTrackerId } from "../../../domain/text/identifiers.ts";
import { send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { ErrorNotice } from "../common/loading/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { VehicleInput } from "../vehicles/vehicle-input.tsx";
import { ownIds, type Recipe } from "./recipes.ts";

/** Who a tracker is. Either may be empty, but not both. */
export interface TypedIdentity {
  readonly imei: string;
  /** What it calls itself, if that is not its IMEI. */
  readonly id: string;
}

/** As people read it; empty: nobody. */
export function identityName({ imei, id }: TypedIdentity): string {
  return [id, imei].filter((part) => part !== "").join(" / ");
}

/** From now on the server notes when one of this name calls, for this account alone. */
export async function sendExpectedTracker({ imei, id }: TypedIdentity): Promise<void> {
  for (const tracker of [id, imei]) if (tracker !== "") await send("POST /fleet/expected-trackers", { tracker });
}

interface IdentityFormProps {
  readonly recipe: Recipe;
  /** What was entered before. */
  readonly typed: TypedIdentity;
  readonly onEntered: (identity: TypedIdentity) => void;
}

export function IdentityForm({ recipe, typed, onEntered }: IdentityFormProps) {
  const { connect: words } = useAdministrationTexts();
  const [imei, setImei] = useState(typed.imei);
  const [id, setId] = useState(typed.id);
  const [isSent, setSent] = useState(false);
  const { submit, error, isBusy } = useSubmit();
  const ownId = ownIds[recipe.protocol];
  const identity = { imei: imei.replaceAll(/[\s-]/g, ""), id: ownId === undefined ? "" : id.replaceAll(/\s/g, "") };
  const problems = {
    imei: isImei(identity.imei) ? undefined : words.problem,
    id: identity.id === "" || isTrackerId(identity.id) ? undefined : words.ownIdProblem,
  };
  const enter = async () => {
    setSent(true);
    if (problems.imei !== undefined || problems.id !== undefined) return;
    await sendExpectedTracker(identity);
    onEntered(identity);
  };
  return (
    <form onSubmit={(event) => submit(enter, event)} className="start-form column gap-4 fit" noValidate>
      {error !== null && <ErrorNotice error={error} />}
      <VehicleInput name="imei" value={imei} onChange={setImei} problem={isSent ? problems.imei : undefined} />
      {ownId !== undefined && (
        <VehicleInput
          name="tracker_id"
          label={words.ownIds[ownId]}
          hint={words.ownIdHints[ownId]}
          value={id}
          onChange={setId}
          problem={isSent ? problems.id : undefined}
        />
      )}
      <Button type="submit" look="primary own-width" text={isBusy ? words.entering : words.wait} isBusy={isBusy} />
    </form>
  );
}
