import { expect, test } from "bun:test";
import { failureOf } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

const noSuchUser = { status: 404, error: { code: "NOT_FOUND", message: "there is no such user" } };

describeRoute("getUser", (world) => {
  test("answers with the sub-account, to its owner and to itself", async () => {
    const { anna } = world().users;
    for (const viewer of ["olga", "anna"] as const) {
      for (const id of [anna.id, anna.id.toUpperCase()]) {
        expect((await world().get(`/users/${id}`, viewer)).body).toMatchObject({
          data: {
            user_id: anna.id,
            email: "anna@acme.example",
            device_count: 2,
          },
        });
      }
    }
  });

  test("shows the owner a sub-account that is disabled", async () => {
    const { body } = await world().get(`/users/${world().users.dora.id}`);
    expect(body.data).toMatchObject({ status: "disabled", device_count: 1 });
  });

  test("tells a user out of sight, an owner and one that does not exist apart by nothing", async () => {
    const { olga, anna, ben, dora, otto, nils } = world().users;
    const unknown = ["00000000-0000-4000-8000-00000000dead", "nope", "%00", olga.email, anna.id.replaceAll("-", "")];
    const hidden = {
      olga: [olga, otto, nils],
      anna: [olga, ben, dora, otto, nils],
      ben: [olga, anna, dora, otto, nils],
      otto: [otto, olga, anna, ben, dora],
    };
    for (const viewer of ["olga", "anna", "ben", "otto"] as const) {
      for (const id of [...hidden[viewer].map((user) => user.id), ...unknown]) {
        expect(failureOf(await world().get(`/users/${id}`, viewer))).toEqual(noSuchUser);
      }
    }
  });
});
