import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { townText } from "../../both-sides/places/near-town.ts";
import { coordinatesOf, fencesAround, frameHasPlace, placeName } from "../../both-sides/places/place-name.ts";
import { Button, IconButton } from "../common/elements/button.tsx";
import { Icon } from "../common/elements/icon.tsx";
import { Link } from "../common/navigation/route.tsx";
import { Time } from "../common/reading/time.tsx";
import { useDevices } from "../common/vehicles/use-devices.ts";
import { usePlaceAround } from "../places/use-place-around.ts";
import { ShareButton } from "../shares/share-button.tsx";
import { useTexts } from "../texts/use-texts.ts";
import type { MapVehicle } from "./layers/vehicle.ts";
import { lasting } from "./map-words.ts";
import { MotionBadge } from "./motion-mark.tsx";
import { type RowFacts, VehicleRow } from "./vehicle-row.tsx";

interface CardProps {
  readonly facts: RowFacts;
  readonly card: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

interface VehicleCardProps extends CardProps {
  readonly vehicle: MapVehicle;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
}

/** What is known of one vehicle right now, and the way to its day. */
export function VehicleCard({ vehicle, facts, isFollowing, onFollow, ...card }: VehicleCardProps) {
  const { id, position, motion } = vehicle;
  const { now, fences, starts } = facts;
  const tags = useDevices()?.get(id)?.tags ?? [];
  const texts = useTexts();
  const { common, map: words, show } = texts;
  const at = frameHasPlace(position) ? position : null;
  const around = usePlaceAround(at);
  const place = fencesAround(position, fences) ?? (at && fences && placeName(at, fences.find, show, texts));
  const address = around?.street ?? (around?.town ? townText(around.town, show, texts) : null);
  const { speed_kmh, heading_deg, ignition, odometer_km, external_voltage_v } = position;
  const course = heading_deg !== null && (speed_kmh ?? 0) > 0 ? ` ${show.compassPoint(heading_deg)}` : "";
  const known: readonly (readonly [term: string, value: ReactNode])[] = [
    [words.speed, speed_kmh === null ? null : `${show.speed(speed_kmh)}${course}`],
    [words.ignition, ignition === null ? null : ignition ? words.on : words.off],
    [words.odometer, odometer_km === null ? null : show.distance(odometer_km)],
    [words.supply, external_voltage_v === null ? null : `${show.number(external_voltage_v, 1)} V`],
    [words.coordinates, frameHasPlace(position) ? coordinatesOf(position) : null],
    [words.positionOf, <Time key="recorded" at={position.recorded_at} detail="second" />],
  ];
  return (
    <MapCard
      about={id}
      title={position.name}
      subtitle={position.plate ?? position.imei}
      closeLabel={words.closeDetails}
      {...card}
    >
      <p className="row gap-3 hint">
        <MotionBadge motion={motion} />
        <span>{lasting(vehicle, starts, now, show, words) ?? <Time at={position.recorded_at} now={now} />}</span>
      </p>
      {(place !== null || address !== null) && (
        <p className="grid break">
          {place}
          {address !== null && <span className="quiet">{address}</span>}
        </p>
      )}
      {tags.length > 0 && (
        <ul className="tags" aria-label={common.tags}>
          {tags.map((tag) => (
            <li key={tag} className="tag">
              {tag}
            </li>
          ))}
        </ul>
      )}
      <div className="details-actions flex wrap gap-2">
        <Link to={`/map/${id}`} className="button button-primary">
          <Icon name="road" />
          {words.playBack}
        </Link>
        <Button icon="target" text={words.follow} aria-pressed={isFollowing} onClick={() => onFollow(!isFollowing)} />
        <ShareButton id={id} name={position.name} />
      </div>
      <dl className="facts grid">
        {known.map(([term, value]) => (
          <div className="grid gap-3 listed" key={term}>
            <dt>{term}</dt>
            <dd>{value ?? common.unknown}</dd>
          </div>
        ))}
      </dl>
    </MapCard>
  );
}

interface PileCardProps extends CardProps {
  /** Those in one place, in the order of the list. */
  readonly vehicles: readonly MapVehicle[];
  readonly onSelect: (id: string) => void;
}

/** Vehicles that no map can show apart, such as those parked in a yard. */
export function PileCard({ vehicles, facts, onSelect, ...card }: PileCardProps) {
  const { map: words, show } = useTexts();
  return (
    <MapCard
      about={vehicles.map(({ id }) => id).join(" ")}
      title={words.pile(vehicles.length, show.number(vehicles.length))}
      closeLabel={words.closePile}
      {...card}
    >
      <ul className="vehicles">
        {vehicles.map((vehicle) => (
          <VehicleRow key={vehicle.id} vehicle={vehicle} facts={facts} isSelected={false} onSelect={onSelect} />
        ))}
      </ul>
    </MapCard>
  );
}

interface MapCardProps extends Omit<CardProps, "facts"> {
  /** What it is about: if that changes, the focus goes to its title again. */
  readonly about: string;
  readonly title: string;
  readonly subtitle?: string;
  readonly closeLabel: string;
  readonly children: ReactNode;
}

/** Where the card is under the map, and not over it. */
const narrow = matchMedia("(max-width: 47.5em)");

/** A card over the map, or under it on a phone. Escape closes it. */
function MapCard({ about, title, subtitle, closeLabel, onClose, card, children }: MapCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new takes the focus again
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    // The map and the beginning of the card, together on the screen.
    if (narrow.matches) heading.current?.closest(".map-stage")?.scrollIntoView({ block: "start" });
  }, [about]);
  return (
    <aside
      className="details column gap-3 panel"
      aria-labelledby="card-heading"
      ref={card}
      onKeyDown={(event) => {
        // A dialog that was opened from the card closes by itself.
        const isInDialog = event.target instanceof Element && event.target.closest("dialog") !== null;
        if (event.key === "Escape" && !isInDialog) onClose();
      }}
    >
      <header className="flex align-start apart gap-3">
        <div className="fit">
          <h2 id="card-heading" ref={heading} tabIndex={-1}>
            {title}
          </h2>
          {subtitle !== undefined && <p className="quiet">{subtitle}</p>}
        </div>
        <IconButton icon="close" label={closeLabel} onClick={onClose} />
      </header>
      {children}
    </aside>
  );
}
