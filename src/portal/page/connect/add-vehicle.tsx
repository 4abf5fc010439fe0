import { trackerKey } from "../../../domain/text/identifiers.ts";
import type { ExpectedTrackerRecord } from "../../both-sides/contract/trackers.ts";
import { focusStep } from "../setup/step.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { VehicleShortForm } from "../vehicles/short-form.tsx";
import type { TypedIdentity } from "./identity-form.tsx";

interface AddVehicleProps {
  readonly identity: TypedIdentity;
  readonly model: string | null;
  readonly expected: readonly ExpectedTrackerRecord[];
  readonly onAdded: () => void;
}

/** The tracker called: with a name it is a vehicle, bound to the protocol that it speaks. */
export function AddVehicle({ identity, model, expected, onAdded }: AddVehicleProps) {
  const { connect: words } = useAdministrationTexts();
  const caller = expected.find(({ called_at }) => called_at !== null);
  const callsItself = caller?.tracker ?? "";
  return (
    <VehicleShortForm
      before={<p className="quiet">{words.strangerWhat}</p>}
      known={{ imei: identity.imei }}
      moreOf={(imei) => ({
        tracker_id: trackerKey(callsItself) === trackerKey(imei) ? null : callsItself,
        tracker_protocol: caller?.last_protocol ?? null,
        tracker_model: model,
      })}
      addText={words.add}
      addIcon="plus"
      onAdded={() => {
        focusStep(4);
        onAdded();
      }}
    />
  );
}
