import { expect, test } from "bun:test";
import { fleetRevision } from "../../src/store/fleet-context.ts";
import { viewerRevisions } from "../../src/store/viewers.ts";
import type { ViewerName } from "../support/api-fleet.ts";
import { onEachEngine } from "../support/engines.ts";
import { type Browser, type PortalWorld, sharedPortal } from "../support/portal.ts";

/** The devices that a key of the viewer sees, by each of two lists. */
async function seenBy({ get }: PortalWorld, viewer: ViewerName): Promise<string[][]> {
  const lists = await Promise.all(["/devices", "/positions/latest"].map((path) => get(path, viewer)));
  return lists.map(({ body }) => body.data.map(({ device_id }: { device_id: string }) => device_id));
}

function assign(browser: Browser, userId: string, device_ids: unknown) {
  return browser.change("PUT", `/users/${userId}/devices`, { device_ids });
}

onEachEngine("what a sub-account sees", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("is listed for the owner, and for the sub-account itself", async () => {
    const { signIn, users, devices } = given();
    const record = (user: { id: string; name: string; email: string; status: string }, ...seen: { id: string }[]) => ({
      user_id: user.id,
      name: user.name,
      email: user.email,
      status: user.status,
      device_ids: seen.map(({ id }) => id).sort(),
    });
    const { van, truck, car, spare, ferry } = devices;
    const anna = record(users.anna, van, truck);
    const all = [anna, record(users.ben, truck, car, spare), record(users.dora, van)];
    const byId = (one: { user_id: string }, other: { user_id: string }) => (one.user_id < other.user_id ? -1 : 1);
    const listed = async (email: string) => (await (await signIn(email)).get("/users")).body.data;
    expect(await listed("olga@acme.example")).toEqual(all.sort(byId));
    expect(await listed("anna@acme.example")).toEqual([anna]);
    expect(await listed("otto@polar.example")).toEqual([record(users.nils, ferry)]);
  });

  test("is replaced by the owner, at once in the API, for those whom it concerns and no others", async () => {
    const world = given();
    const { signIn, users, devices, accounts, store } = world;
    const { database } = store;
    const { van, truck, car, spare } = devices;
    const olga = await signIn("olga@acme.example");
    const revisions = async () => ({
      viewers: await Promise.all(
        [users.anna, users.ben, users.olga].map(({ visibility }) => viewerRevisions(database, visibility)),
      ),
      fleet: (await fleetRevision(database, accounts.acme.account_id)) ?? 0,
    });
    /** For Anna, Ben and Olga, and for whoever keeps the fleet in memory. */
    const grown = async (work: () => Promise<unknown>) => {
      const before = await revisions();
      await work();
      const { viewers, fleet } = await revisions();
      const moreThan = (what: "livePositions" | "devices") =>
        viewers.map((after, index) => after[what] > (before.viewers[index]?.[what] ?? 0));
      return { live: moreThan("livePositions"), devices: moreThan("devices"), fleet: fleet > before.fleet };
    };
    expect(await seenBy(world, "anna")).toEqual([[van.id, truck.id].sort(), [van.id, truck.id].sort()]);
    const change = await grown(async () => {
      const { status, body } = await assign(olga, users.anna.id.toUpperCase(), [
        car.id,
        truck.id.toUpperCase(),
        car.id,
      ]);
      expect([status, body.data.device_ids]).toEqual([200, [truck.id, car.id].sort()]);
      expect(body.data.user_id).toBe(users.anna.id);
    });
    expect(change).toEqual({ live: [true, false, false], devices: [true, false, false], fleet: true });
    expect(await seenBy(world, "anna")).toEqual([[truck.id, car.id].sort(), [truck.id, car.id].sort()]);

    const same = await grown(() => assign(olga, users.anna.id, [truck.id, car.id]));
    expect(same).toEqual({ live: [false, false, false], devices: [false, false, false], fleet: false });
    // The spare never sent anything, so no live position changes.
    const silent = await grown(() => assign(olga, users.anna.id, [truck.id, car.id, spare.id]));
    expect(silent).toEqual({ live: [false, false, false], devices: [true, false, false], fleet: true });
    expect((await assign(olga, users.anna.id, [])).body.data.device_ids).toEqual([]);
    expect(await seenBy(world, "anna")).toEqual([[], []]);
    expect((await assign(olga, users.anna.id, [van.id, truck.id])).status).toBe(200);
    expect(await seenBy(world, "anna")).toEqual([[van.id, truck.id].sort(), [van.id, truck.id].sort()]);
  });

  test("cannot be changed by a sub-account, nor for anybody outside of the account, nor to anything outside of it", async () => {
    const world = given();
    const { signIn, users, devices } = world;
    const [olga, anna] = [await signIn("olga@acme.example"), await signIn("anna@acme.example")];
    for (const user of [users.anna, users.ben, users.nils]) {
      const { status, body } = await assign(anna, user.id, [devices.car.id]);
      expect([status, body.error.code]).toEqual([403, "FORBIDDEN"]);
    }
    // The owner sees all without being assigned anything.
    for (const id of [users.nils.id, users.otto.id, users.olga.id, "00000000-0000-4000-8000-000000000000", "nothing"]) {
      expect([id, (await assign(olga, id, [devices.car.id])).status]).toEqual([id, 404]);
    }
    const wrong = [[devices.ferry.id], ["00000000-0000-4000-8000-000000000000"], ["van"], [1], "van", null, [null]];
    for (const device_ids of wrong) {
      const { status, body } = await assign(olga, users.anna.id, device_ids);
      expect([device_ids, status, Object.keys(body.error.fields)]).toEqual([device_ids, 400, ["device_ids"]]);
    }
    expect((await seenBy(world, "anna"))[0]).toEqual([devices.van.id, devices.truck.id].sort());
  });
});
