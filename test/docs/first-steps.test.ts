import { afterAll, beforeAll, expect, test } from "bun:test";
import { repository } from "./blocks.ts";
import { answer, follow } from "./follow.ts";
import { Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

follow("README.md", () => stage, { readers: { json: answer } });

test("the addresses of a running server that the README names are there", async () => {
  const addresses = [...(repository.get("README.md") ?? "").matchAll(/<(http:\/\/127\.0\.0\.1:[^>]+)>/g)];
  const { failed } = await stage.run(addresses.map(([, address]) => `curl '${address}' > /dev/null`).join("\n"));
  expect(failed).toEqual([]);
  expect(addresses.length).toBeGreaterThan(0);
});
