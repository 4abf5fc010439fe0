import { to } from "../../both-sides/address.ts";
import type { SubAccount } from "../../both-sides/contract/people.ts";
import type { FleetVehicle, StoredHistory } from "../../both-sides/contract/vehicles.ts";
import { EffectNote } from "../fleet/effect-note.tsx";
import { RemoveDialog } from "../fleet/remove-dialog.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { vehicleFields } from "./vehicle-fields.tsx";

interface RemoveVehicleProps {
  readonly vehicle: FleetVehicle;
  readonly people: readonly SubAccount[];
  readonly onClose: () => void;
  readonly onRemoved: () => void;
  /** Another person was faster: the list must be loaded again. */
  readonly onStale: () => void;
}

export default function RemoveVehicle({ vehicle, people, ...events }: RemoveVehicleProps) {
  const { vehicles: words, show } = useAdministrationTexts();
  return (
    <RemoveDialog
      record={vehicle}
      target={to("POST /fleet/devices/{device_id}/remove", { device_id: vehicle.device_id })}
      words={words}
      fields={vehicleFields(vehicle, { words, show, people })}
      wide
      {...events}
    >
      {(preview) =>
        preview && (
          <>
            {preview.stored && <StoredHistoryNote stored={preview.stored} />}
            {preview.effect.assignments_ended > 0 && <EffectNote effect={preview.effect} />}
          </>
        )
      }
    </RemoveDialog>
  );
}

function StoredHistoryNote({ stored }: { readonly stored: StoredHistory }) {
  const { frames, trips, alerts, from, to: until } = stored;
  const { vehicles: words, reports, show } = useAdministrationTexts();
  if (frames === 0) return <p>{words.nothingStored}</p>;
  const counted = (count: number, word: (count: number, shown: string) => string) => word(count, show.number(count));
  const day = (at: string) => show.time(Date.parse(at), "date");
  return (
    <p>
      {words.stored(counted(frames, words.frames), counted(trips, reports.trips), counted(alerts, reports.alerts))}{" "}
      {from !== null && until !== null && words.storedSpan(day(from), day(until))}
    </p>
  );
}
