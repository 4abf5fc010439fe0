import { expect, test } from "bun:test";
import { storeDeadline } from "../../src/http/deadline.ts";
import { failureOf } from "../support/failures.ts";
import { withProductDeadlines } from "../support/patient-deadlines.ts";

withProductDeadlines();

test("a page waits for a server so long, and for an embedded store without a timer", async () => {
  const never = new Promise<never>(() => {});
  const inTime = storeDeadline({ engine: "postgres" })(never, 1);
  expect(inTime).not.toBe(never);
  expect((await failureOf(inTime)).code).toBe("STORE_UNREACHABLE");
  expect(storeDeadline({ engine: "sqlite" })(never, 1)).toBe(never);
});
