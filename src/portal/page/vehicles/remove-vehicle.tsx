import type { Effect, SubAccount } from "../../records/portal-records.ts";
import { EffectNote } from "../fleet/effect-note.tsx";
import { RemoveDialog } from "../fleet/remove-dialog.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { vehicleFields } from "./vehicle-fields.tsx";
import type { FleetVehicle } from "./vehicle-records.ts";

interface RemoveVehicleProps {
  readonly vehicle: FleetVehicle;
  readonly people: readonly SubAccount[];
  readonly onClose: () => void;
  readonly onRemoved: () => void;
  /** Somebody else was faster: the list must be loaded again. */
  readonly onStale: () => void;
}

interface StoredHistory {
  readonly frames: number;
  readonly trips: number;
  readonly alerts: number;
  readonly from: string | null;
  readonly to: string | null;
}

export function RemoveVehicle({ vehicle, people, ...events }: RemoveVehicleProps) {
  const { vehicles: words, show } = useAdministrationTexts();
  return (
    <RemoveDialog<{ readonly effect: Effect; readonly stored: StoredHistory }>
      record={vehicle}
      path={`/fleet/devices/${vehicle.device_id}`}
      words={words}
      fields={vehicleFields(vehicle, { words, show, people })}
      wide
      {...events}
    >
      {(preview) =>
        preview && (
          <>
            <StoredHistoryNote stored={preview.stored} />
            {preview.effect.assignments_ended > 0 && <EffectNote effect={preview.effect} />}
          </>
        )
      }
    </RemoveDialog>
  );
}

function StoredHistoryNote({ stored: { frames, trips, alerts, from, to } }: { readonly stored: StoredHistory }) {
  const { vehicles: words, reports, show } = useAdministrationTexts();
  if (frames === 0) return <p>{words.nothingStored}</p>;
  const counted = (count: number, word: (count: number, shown: string) => string) => word(count, show.number(count));
  const day = (at: string) => show.time(Date.parse(at), "date");
  return (
    <p>
      {words.stored(counted(frames, words.frames), counted(trips, reports.trips), counted(alerts, reports.alerts))}{" "}
      {from !== null && to !== null && words.storedSpan(day(from), day(to))}
    </p>
  );
}
