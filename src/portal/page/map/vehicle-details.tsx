import { useEffect, useRef } from "react";
import type { Geofence } from "../api/records.ts";
import { compassPoint, formatKm, formatNumber } from "../common/format.ts";
import { Icon } from "../common/icon.tsx";
import { Link } from "../common/route.tsx";
import { Time } from "../common/time.tsx";
import { MotionBadge } from "./motion-mark.tsx";
import type { Vehicle } from "./vehicle.ts";

interface VehicleDetailsProps {
  readonly vehicle: Vehicle;
  readonly now: number;
  readonly fences: readonly Geofence[];
  readonly onClose: () => void;
}

/** What is known of one vehicle right now, and the way to its day. */
export function VehicleDetails({ vehicle, now, fences, onClose }: VehicleDetailsProps) {
  const { id, position, motion } = vehicle;
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another vehicle takes the focus again
  useEffect(() => heading.current?.focus(), [id]);
  const inside = fences.filter(({ geofence_id }) => position.geofence_ids.includes(geofence_id));
  return (
    <aside
      className="details"
      aria-labelledby="vehicle-heading"
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header className="details-head">
        <div>
          <h2 id="vehicle-heading" ref={heading} tabIndex={-1}>
            {position.name}
          </h2>
          <p className="quiet">{position.plate ?? position.imei}</p>
        </div>
        <button type="button" className="icon-button" aria-label="Close details" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <p className="details-state">
        <MotionBadge motion={motion} />
        <Time at={position.recorded_at} now={now} />
      </p>
      <dl className="facts">
        {facts(vehicle).map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        <div>
          <dt>Position of</dt>
          <dd>
            <Time at={position.recorded_at} detail="second" />
          </dd>
        </div>
        <div>
          <dt>Inside of</dt>
          <dd>{inside.length === 0 ? "No fence" : inside.map(({ name }) => name).join(", ")}</dd>
        </div>
      </dl>
      <Link to={`/map/${id}`} className="button button-primary button-wide">
        <Icon name="road" />
        Play back a day
      </Link>
    </aside>
  );
}

function facts({ position }: Vehicle): [term: string, text: string][] {
  const { speed_kmh, heading_deg, ignition, odometer_km, latitude, longitude, external_voltage_v } = position;
  const unknown = "–";
  const course = heading_deg === null ? "" : ` ${compassPoint(heading_deg)}`;
  return [
    ["Speed", speed_kmh === null ? unknown : `${formatNumber(speed_kmh)} km/h${speed_kmh > 0 ? course : ""}`],
    ["Ignition", ignition === null ? unknown : ignition ? "On" : "Off"],
    ["Odometer", odometer_km === null ? unknown : formatKm(odometer_km)],
    ["Supply", external_voltage_v === null ? unknown : `${formatNumber(external_voltage_v, 1)} V`],
    ["Place", latitude === null || longitude === null ? unknown : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`],
  ];
}
