import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { routes } from "../../../src/api/routes.ts";

/** The file that a route's tests are in: `listDevices` in `list-devices.test.ts`. */
function fileOf(operationId: string): string {
  return `${operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.test.ts`;
}

test("every route has its tests, in a file of its own", () => {
  const others = ["every-route.test.ts", fileOf("getHealth")];
  const files = readdirSync(import.meta.dir).filter((name) => !others.includes(name));
  expect(files.toSorted()).toEqual(routes.map(({ operationId }) => fileOf(operationId)).toSorted());
  for (const { operationId } of routes) {
    const text = readFileSync(join(import.meta.dir, fileOf(operationId)), "utf8");
    expect(text).toContain(`describeRoute(\n  "${operationId}",`);
  }
});
