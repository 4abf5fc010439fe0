import { expect, test } from "bun:test";
import { failureOf } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

const noSuchUser = { status: 404, error: { code: "NOT_FOUND", message: "there is no such user" } };

/** Who sees whom: matrix.test.ts. */
describeRoute("getUser", (world) => {
  test("answers with the sub-account, also one that is disabled, by its id in either case", async () => {
    const { anna, dora } = world().users;
    for (const id of [anna.id, anna.id.toUpperCase()]) {
      const record = { user_id: anna.id, email: "anna@acme.example", device_count: 2 };
      expect((await world().get(`/users/${id}`)).body.data).toMatchObject(record);
    }
    const { body } = await world().get(`/users/${dora.id}`);
    expect(body.data).toMatchObject({ status: "disabled", device_count: 1 });
  });

  test("knows nobody by anything that is no id", async () => {
    const { olga, anna } = world().users;
    for (const name of ["nope", "%00", olga.email, anna.id.replaceAll("-", "")]) {
      expect(failureOf(await world().get(`/users/${name}`))).toEqual(noSuchUser);
    }
  });
});
