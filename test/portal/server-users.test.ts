import { expect, test } from "bun:test";
import { onEachEngine } from "../support/engines.ts";
import { sharedPortal } from "../support/portal.ts";

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
});
