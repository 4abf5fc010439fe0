import { expect, test } from "bun:test";
import { quantity } from "../../src/domain/text/text.ts";

test.each([
  [0, "0 devices"],
  [1, "1 device"],
  [2, "2 devices"],
])("%d is counted as %s", (count, text) => expect(quantity(count, "device")).toBe(text));
