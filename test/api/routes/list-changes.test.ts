import { expect, test } from "bun:test";
import { describeRoute } from "../../support/route-suite.ts";

describeRoute("listChanges", (world) => {
  test("shows each record exactly as its list does", async () => {
    const { body } = await world().get(`/changes?after=${world().resumeAfter}&types=trip,user&limit=500`);
    const lists = await Promise.all(
      ["/trips?from=2026-06-01&to=2026-07-01", "/users"].map(async (path) => (await world().get(path)).body.data),
    );
    const reported = body.data.map(({ record }: { record: unknown }) => record);
    expect(new Set(reported.map((record: unknown) => JSON.stringify(record)))).toEqual(
      new Set(lists.flat().map((record: unknown) => JSON.stringify(record))),
    );
  });
});
