import { expect, test } from "bun:test";
import { visibilityOf } from "../../src/domain/visibility.ts";
import { Show, usualUnits } from "../../src/portal/both-sides/reading/show.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import { placeNamer } from "../../src/portal/mail/place-namer.ts";
import { onEachEngine } from "../support/engines.ts";
import { circle, load, smallFleet } from "../support/fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";

const reader = { show: new Show("en", en, usualUnits, "UTC"), texts: en };
const { depot, car, olga, ann, bob } = smallFleet;
/** In a fence that only the car's viewers see. */
const hidden = circle(33, {
  name: "Secret yard",
  device_ids: [car.id],
  geometry: { type: "Point", coordinates: [13.79, 52.405] },
});
const [inHidden, nearHidden] = [
  { latitude: 52.405, longitude: 13.79 },
  { latitude: 52.411, longitude: 13.79 },
];
const inDepot = { latitude: 52.5, longitude: 13.4 };

onEachEngine("places in mails and in planned reports", (engine) => {
  test("are fences that the reader sees, else streets, else towns: nothing of what they do not see", async () => {
    const { database } = await engine.fresh();
    await load(database, [...Object.values(smallFleet), hidden]);
    const accountId = await accountNumber(database);
    const namerOf = (user: { readonly id: string; readonly role: string }, street: string | null = null) => {
      const role = user.role === "owner" ? "owner" : "sub_account";
      return placeNamer(database, visibilityOf({ accountId, id: user.id, role }), async () => street, reader);
    };
    const owner = await namerOf(olga);
    expect(await owner(inDepot)).toBe(String(depot.name));
    expect([await owner(inHidden), await owner(nearHidden)]).toEqual(["Secret yard", "550 m from Secret yard"]);
    for (const user of [ann, bob]) {
      const sub = await namerOf(user);
      expect(await sub(inDepot)).toBe("Depot");
      expect([await sub(inHidden), await sub(nearHidden)]).toEqual(["3 km SW of Grünheide", "2 km SW of Grünheide"]);
    }
    expect(await (await namerOf(ann, "Mill Lane"))(nearHidden)).toBe("Mill Lane");
    expect(await owner({ latitude: 0, longitude: -30 })).toBe("0.00000, -30.00000");
  });
});
