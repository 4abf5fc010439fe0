import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useUnknownImeis } from "../vehicles/refused-trackers.tsx";
import { VehicleShortForm } from "../vehicles/short-form.tsx";
import { focusStep } from "./step.tsx";

/** The first vehicle. Trackers that have reported without one are offered. */
export function VehicleStep({ onAdded }: { readonly onAdded: (vehicle: FleetVehicle) => void }) {
  const { setup: words, vehicles } = useAdministrationTexts();
  const unknown = useUnknownImeis();
  return (
    <VehicleShortForm
      imeiHint={words.imeiHint}
      after={(setImei) =>
        unknown.length > 0 && (
          <div>
            <p>{words.reported}</p>
            <p className="button-row">
              {unknown.slice(0, 5).map((imei) => (
                <Button key={imei} look="small" text={words.take(imei)} onClick={() => setImei(imei)} />
              ))}
            </p>
          </div>
        )
      }
      addText={vehicles.addIt}
      onAdded={(vehicle) => {
        announce(`${vehicles.add}: ${words.done}`);
        focusStep(2);
        onAdded(vehicle);
      }}
    />
  );
}
