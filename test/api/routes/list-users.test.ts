import { expect, test } from "bun:test";
import { iso, sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";
import type { SeededUser } from "../../support/seed.ts";

function record(user: SeededUser, device_count: number) {
  return {
    user_id: user.id,
    name: user.name,
    email: user.email,
    status: user.name === "Dora Dietz" ? "disabled" : "active",
    device_count,
    last_login_at: iso(user.last_login_at),
    created_at: "2026-06-15T12:00:00.000Z",
    updated_at: "2026-06-15T12:00:00.000Z",
  };
}

describeRoute(
  "listUsers",
  () => ({ path: "/users" }),
  (world) => {
    test("lists the owner all sub-accounts, in ascending id, and a sub-account itself", async () => {
      const { anna, ben, dora, nils } = world().users;
      const [annas, bens, doras, nilss] = [record(anna, 2), record(ben, 3), record(dora, 1), record(nils, 1)];
      for (const [viewer, records] of [
        ["olga", [annas, bens, doras]],
        ["anna", [annas]],
        ["ben", [bens]],
        ["otto", [nilss]],
      ] as const) {
        const data = sortedBy<(typeof records)[number]>(records, (user) => user.user_id);
        expect((await world().get("/users", viewer)).body).toEqual({ data, next_cursor: null });
      }
    });
  },
);
