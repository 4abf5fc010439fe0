import { expect, test } from "bun:test";
import { eraseDriver } from "../../../src/fleet/edit/erase-driver.ts";
import { removeDevice } from "../../../src/fleet/edit/remove-device.ts";
import { eraseRemovedUser, removeUser } from "../../../src/fleet/edit/remove-user.ts";
import { filtersOf, plansOfAccount, receiversOf } from "../../../src/store/notifications/planned-reports.ts";
import { onEachEngine } from "../../support/engines.ts";
import { command } from "../../support/erasing.ts";
import { load, uuid } from "../../support/fleet.ts";
import { accountNumber } from "../../support/ingest-node.ts";
import { annId, olgaId } from "../../support/notified-fleet.ts";
import { reportedFleet } from "../../support/reported-fleet.ts";

const [vanId, truckId, amaraId] = [uuid(21), uuid(22), uuid(51)];

onEachEngine("planned reports of what is erased", (engine) => {
  test("name it no more, and go where nothing else is left of them", async () => {
    const { plan, database, clock } = await reportedFleet(engine);
    await load(database, [{ type: "driver", id: amaraId, account_id: uuid(1), name: "Amara", driver_ids: ["A1"] }]);
    const accountId = await accountNumber(database);
    const names = async () => (await plansOfAccount(database, accountId)).map(({ name }) => name).sort();
    await plan({ name: "both", to: [olgaId, annId], filters: { vehicles: [vanId, truckId] } });
    await plan({ name: "van", filters: { vehicles: [vanId] } });
    await plan({ name: "driver", filters: { driver: "Amara" } });
    await plan({ name: "ann's", to: [annId] });
    const removal = { accountId, by: command, revision: null, isPreview: false } as const;
    await removeDevice(database, { ...removal, id: vanId, history: "erase" }, clock.now);
    expect(await names()).toEqual(["ann's", "both", "driver"]);
    await eraseDriver(database, { ...removal, id: amaraId }, clock.now);
    expect(await names()).toEqual(["ann's", "both"]);
    await removeUser(database, { ...removal, id: annId, history: "keep" }, clock.now);
    await eraseRemovedUser(database, { accountId, id: annId, by: command }, clock.now);
    const [left, ...others] = await plansOfAccount(database, accountId);
    expect([left?.name, left && filtersOf(left).vehicles, others]).toEqual(["both", [truckId], []]);
    expect((await receiversOf(database, accountId, null)).map(({ user_id }) => user_id)).toEqual([olgaId]);
  });
});
