import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { routes } from "../../../src/api/routes.ts";
import { describeRoute } from "../../support/route-suite.ts";

/** The file of a route that has tests of its own: `listDevices` in `list-devices.test.ts`. */
function fileOf(operationId: string): string {
  return `${operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.test.ts`;
}

const files = readdirSync(import.meta.dir).filter(
  (name) => !["every-route.test.ts", fileOf("getHealth")].includes(name),
);

test("every file here is of a route", async () => {
  const known = new Map(routes.map(({ operationId }) => [fileOf(operationId), operationId]));
  for (const file of files) {
    expect(await Bun.file(`${import.meta.dir}/${file}`).text()).toContain(`describeRoute("${known.get(file)}", `);
  }
});

for (const { operationId } of routes) if (!files.includes(fileOf(operationId))) describeRoute(operationId);
