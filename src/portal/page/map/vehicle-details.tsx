import type { RefObject } from "react";
import { Icon } from "../common/icon.tsx";
import { Link } from "../common/route.tsx";
import type { Show } from "../common/show.ts";
import { Time } from "../common/time.tsx";
import { useShow } from "../common/use-show.ts";
import { usePlaceName } from "../places/use-place-name.ts";
import { vehiclePlace } from "../places/vehicle-place.ts";
import type { Texts } from "../texts/texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import { MapCard } from "./map-card.tsx";
import { lasting } from "./map-words.ts";
import { MotionBadge } from "./motion-mark.tsx";
import type { Vehicle } from "./vehicle.ts";
import type { RowFacts } from "./vehicle-row.tsx";

interface VehicleDetailsProps {
  readonly vehicle: Vehicle;
  readonly facts: RowFacts;
  readonly card: RefObject<HTMLElement | null>;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
  readonly onClose: () => void;
}

/** What is known of one vehicle right now, and the way to its day. */
export function VehicleDetails({ vehicle, facts, card, isFollowing, onFollow, onClose }: VehicleDetailsProps) {
  const { id, position, motion } = vehicle;
  const { now, fences, tripStarts } = facts;
  const texts = useTexts();
  const { common, map: words } = texts;
  const show = useShow();
  const address = usePlaceName(position.latitude, position.longitude);
  const place = vehiclePlace(position, fences, show, texts);
  return (
    <MapCard
      about={id}
      title={position.name}
      subtitle={position.plate ?? position.imei}
      closeLabel={words.closeDetails}
      onClose={onClose}
      card={card}
    >
      <p className="details-state">
        <MotionBadge motion={motion} />
        <span>{lasting(vehicle, tripStarts, now, show, words) ?? <Time at={position.recorded_at} now={now} />}</span>
      </p>
      {(place !== null || address !== null) && (
        <p className="details-place">
          {place}
          {address !== null && <span className="quiet">{address}</span>}
        </p>
      )}
      <div className="details-actions">
        <Link to={`/map/${id}`} className="button button-primary">
          <Icon name="road" />
          {words.playBack}
        </Link>
        <button type="button" className="button" aria-pressed={isFollowing} onClick={() => onFollow(!isFollowing)}>
          <Icon name="target" />
          {words.follow}
        </button>
      </div>
      <dl className="facts">
        {factsOf(vehicle, show, common, words).map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        <div>
          <dt>{words.positionOf}</dt>
          <dd>
            <Time at={position.recorded_at} detail="second" />
          </dd>
        </div>
      </dl>
    </MapCard>
  );
}

function factsOf(
  { position }: Vehicle,
  show: Show,
  { unknown }: Texts["common"],
  words: Texts["map"],
): [term: string, text: string][] {
  const { speed_kmh, heading_deg, ignition, odometer_km, latitude, longitude, external_voltage_v } = position;
  const course = heading_deg === null ? "" : ` ${show.compassPoint(heading_deg)}`;
  const hasPlace = latitude !== null && longitude !== null;
  return [
    [words.speed, speed_kmh === null ? unknown : `${show.speed(speed_kmh)}${speed_kmh > 0 ? course : ""}`],
    [words.ignition, ignition === null ? unknown : ignition ? words.on : words.off],
    [words.odometer, odometer_km === null ? unknown : show.distance(odometer_km)],
    [words.supply, external_voltage_v === null ? unknown : `${show.number(external_voltage_v, 1)} V`],
    [words.coordinates, hasPlace ? `${latitude.toFixed(5)}, ${longitude.toFixed(5)}` : unknown],
  ];
}
