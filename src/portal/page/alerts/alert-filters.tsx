import { alertTypes, severities } from "../../../domain/alert-types.ts";
import type { DevicesById } from "../api/devices.ts";
import { Select } from "../common/field.tsx";
import { humanise, inCountingOrder } from "../common/format.ts";
import type { AlertFilter } from "./load-alerts.ts";

interface AlertFiltersProps {
  readonly filter: AlertFilter;
  readonly onChange: (filter: AlertFilter) => void;
  readonly devices: DevicesById | null;
}

const everything = ["", "All"] as const;
const states = [["false", "Open"], ["true", "Acknowledged"], everything] as const;
const severityOptions = [everything, ...severities.map((name) => [name, humanise(name)] as const)];
const typeOptions = [everything, ...alertTypes.map((name) => [name, humanise(name)] as const)];
const periods = [
  ["1", "Last 24 hours"],
  ["7", "Last 7 days"],
  ["31", "Last 31 days"],
] as const;

export function AlertFilters({ filter, onChange, devices }: AlertFiltersProps) {
  const vehicles = [...(devices?.values() ?? [])]
    .sort((left, right) => inCountingOrder(left.name, right.name))
    .map(({ device_id, name, plate }) => [device_id, plate === null ? name : `${name} · ${plate}`] as const);
  return (
    <search className="filters">
      <Select
        label="State"
        value={filter.acknowledged}
        onChange={(acknowledged) => onChange({ ...filter, acknowledged })}
        options={states}
      />
      <Select
        label="Severity"
        value={filter.severity}
        onChange={(severity) => onChange({ ...filter, severity })}
        options={severityOptions}
      />
      <Select
        label="Type"
        value={filter.alertType}
        onChange={(alertType) => onChange({ ...filter, alertType })}
        options={typeOptions}
      />
      <Select
        label="Vehicle"
        value={filter.deviceId}
        onChange={(deviceId) => onChange({ ...filter, deviceId })}
        options={[everything, ...vehicles]}
      />
      <Select label="Period" value={filter.days} onChange={(days) => onChange({ ...filter, days })} options={periods} />
    </search>
  );
}
