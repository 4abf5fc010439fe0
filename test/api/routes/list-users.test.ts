import { expect, test } from "bun:test";
import { sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";
import type { SeededUser } from "../../support/seed.ts";

function record({ id, name }: SeededUser, device_count: number) {
  return { user_id: id, name, status: name === "Dora Dietz" ? "disabled" : "active", device_count };
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
        expect((await world().get("/users", viewer)).body).toMatchObject({ data, next_cursor: null });
      }
    });
  },
);
