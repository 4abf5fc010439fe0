import type { Device } from "../api/records.ts";

/**
 * The vehicles that match the search, by name. Those of `first` come before all others: what is assigned must be in sight.
 */
export function assignable(
  devices: readonly Device[],
  search: string,
  first: ReadonlySet<string>,
  compare: (one: string, other: string) => number,
): Device[] {
  const wanted = search.trim().toLowerCase();
  const rank = ({ device_id }: Device) => (first.has(device_id) ? 0 : 1);
  return devices
    .filter(({ name, plate, imei }) => `${name}\n${plate ?? ""}\n${imei}`.toLowerCase().includes(wanted))
    .sort((left, right) => rank(left) - rank(right) || compare(left.name, right.name));
}
