import { type AlertType, type Severity, severities } from "../../domain/alert-types.ts";
import { type Raised, raisedBy } from "../../domain/alerts/raised.ts";
import { dateOfDay } from "../../domain/time/time.ts";
import { storedZone } from "../../domain/time/time-zone.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import { assignmentsOfUsers } from "../../store/fleet/assignments.ts";
import { type DeviceRules, RuleMerger, ruledDevices } from "../../store/fleet/device-rules.ts";
import { devicesOfFences } from "../../store/fleet/geofence-list.ts";
import { sharedRules } from "../../store/fleet/rule-versions.ts";
import type { RuleFeeds } from "../both-sides/contract/notifications.ts";

/** Which vehicles a notification is about. Both null: all that the person sees. */
interface VehiclesWanted {
  readonly tags: readonly string[] | null;
  readonly deviceIds: readonly string[] | null;
}

interface RaisingVehicle {
  readonly id: string;
  readonly tags: readonly string[];
  readonly raised: Raised;
}

/** What the rules in force can raise, vehicle by vehicle, and who hears of it. */
export class AccountFeeds {
  readonly #vehicles: readonly RaisingVehicle[];
  /** What sub-accounts see, by person. */
  readonly #assigned: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(vehicles: readonly RaisingVehicle[], assigned: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#vehicles = vehicles;
    this.#assigned = assigned;
  }

  /** The vehicles for which a rule of the type is in force. */
  vehiclesOf(type: AlertType): ReadonlySet<string> {
    return new Set(this.#vehicles.filter(({ raised }) => raised.has(type)).map(({ id }) => id));
  }

  of({ sees, userId }: Pick<Visibility, "sees" | "userId">, { tags, deviceIds }: VehiclesWanted): RuleFeeds {
    const seen = sees === "account" ? null : (this.#assigned.get(userId) ?? new Set<string>());
    const isMeant = (vehicle: RaisingVehicle) =>
      (tags === null && deviceIds === null) ||
      (deviceIds?.includes(vehicle.id) ?? false) ||
      (tags?.some((tag) => vehicle.tags.includes(tag)) ?? false);
    const meant = this.#vehicles.filter((vehicle) => seen?.has(vehicle.id) !== false && isMeant(vehicle));
    const found = new Map<AlertType, { vehicles: number; readonly severities: Set<Severity> }>();
    for (const [type, raised] of meant.flatMap((vehicle) => [...vehicle.raised])) {
      const feed = found.getOrInsertComputed(type, () => ({ vehicles: 0, severities: new Set() }));
      feed.vehicles++;
      for (const severity of raised) feed.severities.add(severity);
    }
    const rules = Array.from(found, ([alert_type, feed]) => {
      return { alert_type, vehicles: feed.vehicles, severities: severities.filter((one) => feed.severities.has(one)) };
    });
    return { vehicles: meant.length, rules };
  }
}

/** Of an account, for these people: those who see all of it need not be named. */
export async function accountFeeds(
  reader: Reader,
  account: { readonly number: number; readonly zone: string },
  userIds: readonly string[],
  now: number,
): Promise<AccountFeeds> {
  const { number: accountId, zone } = account;
  const devices = (await ruledDevices(reader, accountId, null)).filter(({ removed_at }) => removed_at === null);
  const merged = await new RuleMerger(await sharedRules(reader, accountId)).of(reader, accountId, devices);
  const rulesOf = (device: number) => merged.get(device)?.at(-1)?.content ?? [];
  const named = new Set(devices.flatMap(({ device }) => rulesOf(device)).flatMap(({ geofenceIds }) => geofenceIds));
  const inFence = new Set(
    (await devicesOfFences(reader, accountId, named)).map(({ geofence_id, device }) => `${geofence_id} ${device}`),
  );
  const today = dateOfDay(storedZone(zone).dayOf(now));
  // Most vehicles have the same rules, and few of these name fences.
  const known = new Map<DeviceRules | undefined, Raised>();
  const raisedOf = (device: number): Raised => {
    const rules = rulesOf(device);
    const judge = () => raisedBy(rules, { hasFence: (id) => inFence.has(`${id} ${device}`), today });
    if (rules.some(({ geofenceIds }) => geofenceIds.length > 0)) return judge();
    return known.getOrInsertComputed(merged.get(device), judge);
  };
  const vehicles = devices.map(({ device, id, tags_json }) => {
    return { id, tags: JSON.parse(tags_json) as string[], raised: raisedOf(device) };
  });
  const assignments = await assignmentsOfUsers(reader, accountId, userIds);
  const assigned = Map.groupBy(assignments, ({ user_id }) => user_id);
  return new AccountFeeds(
    vehicles,
    new Map(Array.from(assigned, ([userId, rows]) => [userId, new Set(rows.map(({ id }) => id))])),
  );
}
