import type { Device } from "../../both-sides/contract/data.ts";
import type { Fences } from "../../both-sides/places/nearest-fence.ts";
import { coordinatesOf, frameHasPlace } from "../../both-sides/places/place-name.ts";
import { Link } from "../common/navigation/route.tsx";
import { useSession } from "../common/session.ts";
import { useVehiclePlace } from "../places/place.tsx";
import { useTexts } from "../texts/use-texts.ts";
import type { MapVehicle } from "./layers/vehicle.ts";
import { lasting, type Starts } from "./map-words.ts";
import { MotionMark, UnreportedMark } from "./motion-mark.tsx";

/** What is known beyond the positions, for every row. */
export interface RowFacts {
  readonly now: number;
  readonly fences: Fences | null;
  readonly starts: Starts;
}

interface VehicleRowProps {
  readonly vehicle: MapVehicle;
  readonly facts: RowFacts;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}

/** A vehicle in a list: what it is doing, for how long, and where. */
export function VehicleRow({ vehicle, facts: { now, fences, starts }, isSelected, onSelect }: VehicleRowProps) {
  const { id, position, motion } = vehicle;
  const texts = useTexts();
  const { map: words, show } = texts;
  const speed = motion === "moving" && position.speed_kmh !== null ? show.speed(position.speed_kmh) : null;
  const place = useVehiclePlace(position, fences, motion === "moving");
  const degrees = motion !== "moving" && frameHasPlace(position) ? coordinatesOf(position) : null;
  return (
    <li>
      <button
        type="button"
        className="vehicle"
        aria-current={isSelected ? "true" : undefined}
        onClick={() => onSelect(id)}
      >
        <MotionMark motion={motion} heading={position.heading_deg} />
        <span className="vehicle-name bold one-line clip">{position.name}</span>
        <span className="vehicle-plate one-line clip hint">{position.plate ?? position.imei}</span>
        <span className="vehicle-state fine digits">
          {speed !== null && <span className="visually-hidden">{words.motion[motion]}, </span>}
          {speed ?? words.motion[motion]}
        </span>
        <span className="vehicle-lasting one-line digits clip hint">
          {lasting(vehicle, starts, now, show, words) ?? show.age(now - Date.parse(position.recorded_at))}
        </span>
        <span className="vehicle-place one-line clip hint">{place ?? degrees}</span>
      </button>
    </li>
  );
}

/** A vehicle that is nowhere on the map yet. It leads the owner to what is missing. */
export function UnreportedRow({ device: { name, plate, imei, last_seen_at } }: { readonly device: Device }) {
  const { map: words } = useTexts();
  const { role } = useSession().user;
  const content = (
    <>
      <UnreportedMark />
      <span className="vehicle-name bold one-line clip">{name}</span>
      <span className="vehicle-plate one-line clip hint">{plate ?? imei}</span>
      <span className="vehicle-state fine digits">{last_seen_at === null ? words.unreported : words.unplaced}</span>
    </>
  );
  return (
    <li>
      {role === "owner" ? (
        <Link to="/fleet/trackers" className="vehicle">
          {content}
        </Link>
      ) : (
        <div className="vehicle">{content}</div>
      )}
    </li>
  );
}
