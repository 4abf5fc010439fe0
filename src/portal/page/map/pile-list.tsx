import type { RefObject } from "react";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import { MapCard } from "./map-card.tsx";
import type { Vehicle } from "./vehicle.ts";
import { type RowFacts, VehicleRow } from "./vehicle-row.tsx";

interface PileListProps {
  /** Those in one place, in the order of the list. */
  readonly vehicles: readonly Vehicle[];
  readonly facts: RowFacts;
  readonly card: RefObject<HTMLElement | null>;
  readonly onSelect: (id: string) => void;
  readonly onClose: () => void;
}

/** Vehicles that no map can tell apart, such as those parked in a yard. */
export function PileList({ vehicles, facts, card, onSelect, onClose }: PileListProps) {
  const { map: words } = useTexts();
  const show = useShow();
  return (
    <MapCard
      about={vehicles.map(({ id }) => id).join(" ")}
      title={words.pile(vehicles.length, show.number(vehicles.length))}
      closeLabel={words.closePile}
      onClose={onClose}
      card={card}
    >
      <ul className="vehicles">
        {vehicles.map((vehicle) => (
          <VehicleRow key={vehicle.id} vehicle={vehicle} facts={facts} isSelected={false} onSelect={onSelect} />
        ))}
      </ul>
    </MapCard>
  );
}
