import type { Fences } from "../places/nearest-fence.ts";
import { vehiclePlace } from "../places/place-name.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Vehicle } from "./layers/vehicle.ts";
import { lasting, type TripStarts } from "./map-words.ts";
import { MotionMark } from "./motion-mark.tsx";

/** What is known beyond the positions, for every row. */
export interface RowFacts {
  readonly now: number;
  readonly fences: Fences | null;
  readonly tripStarts: TripStarts;
}

interface VehicleRowProps {
  readonly vehicle: Vehicle;
  readonly facts: RowFacts;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}

/** A vehicle in a list: what it is doing, for how long, and where. */
export function VehicleRow({ vehicle, facts: { now, fences, tripStarts }, isSelected, onSelect }: VehicleRowProps) {
  const { id, position, motion } = vehicle;
  const texts = useTexts();
  const { map: words, show } = texts;
  const speed = motion === "moving" && position.speed_kmh !== null ? show.speed(position.speed_kmh) : null;
  return (
    <li>
      <button
        type="button"
        className="vehicle"
        aria-current={isSelected ? "true" : undefined}
        onClick={() => onSelect(id)}
      >
        <MotionMark motion={motion} heading={position.heading_deg} />
        <span className="vehicle-name">{position.name}</span>
        <span className="vehicle-plate">{position.plate ?? position.imei}</span>
        <span className="vehicle-state">
          {speed !== null && <span className="visually-hidden">{words.motion[motion]}, </span>}
          {speed ?? words.motion[motion]}
        </span>
        <span className="vehicle-lasting">{lasting(vehicle, tripStarts, now, show, words)}</span>
        <span className="vehicle-place">{vehiclePlace(position, fences, show, texts)}</span>
      </button>
    </li>
  );
}
