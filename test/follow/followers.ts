import type { Scope } from "../../src/domain/scopes.ts";
import { uuid } from "../support/fleet.ts";
import { shuffled } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { Follower, type FollowerOptions } from "./follower.ts";
import { windows } from "./frames.ts";
import { type ChangeType, changeTypes, withoutDevice } from "./lists.ts";
import type { Nodes } from "./nodes.ts";
import { annId, bobId, type World } from "./world.ts";

/** Some of those who may follow the fleet, and how. The first one follows all of it. */
export async function followersOf(
  world: World,
  nodes: Nodes,
  ownRandom: () => () => number,
): Promise<readonly Follower[]> {
  const around = {
    nodes,
    windows,
    sight: world.sight,
    deviceIds: () => world.devices.map(({ id }) => id),
    mayBeRefused: (userId: string) => world.mayBeRefused(userId),
    mayExpire: () => world.hasForgotten,
  };
  const [olga, ann, bob] = await Promise.all(
    ["olga@acme.test", "ann@acme.test", "bob@acme.test"].map((email) => world.key(email)),
  );
  const few: readonly Scope[] = ["trips:read", "alerts:read"];
  const fewKey = await world.key("olga@acme.test", { scopes: few });
  const tripsAndDevices = await world.key("bob@acme.test", { scopes: ["devices:read", "trips:read"] });
  const ofOwner = { key: olga as string, userId: null, types: changeTypes, maxLimit: 500 };
  const tripTypes: readonly ChangeType[] = ["trip", "geofence_event", "mileage"];
  const ofDevices = changeTypes.filter((type) => !withoutDevice.includes(type));
  const others: readonly FollowerOptions[] = [
    { ...ofOwner, name: "Ann", key: ann as string, userId: annId },
    { ...ofOwner, name: "Bob", key: bob as string, userId: bobId, maxLimit: 50 },
    { ...ofOwner, name: "the owner, with small pages", maxLimit: 7 },
    { ...ofOwner, name: "the owner, rarely" },
    { ...ofOwner, name: "a key of few scopes", key: fewKey, types: ["trip", "stop", "alert"] },
    {
      ...ofOwner,
      name: "Bob's key of few scopes",
      key: tripsAndDevices,
      userId: bobId,
      types: ["device", "trip", "stop", "alert_settings", "driver"],
    },
    { ...ofOwner, name: "some types", types: tripTypes, namesTypes: true },
    {
      ...ofOwner,
      name: "Ann, some types, rarely",
      key: ann as string,
      userId: annId,
      types: ["device", ...tripTypes],
      namesTypes: true,
    },
    { ...ofOwner, name: "one device", types: ofDevices, deviceId: uuid(23), maxLimit: 60 },
  ];
  const some = shuffled(others, ownRandom()).slice(0, rounds(5, others.length));
  return [{ ...ofOwner, name: "the owner" }, ...some].map(
    (options) => new Follower(options, { ...around, random: ownRandom() }),
  );
}
