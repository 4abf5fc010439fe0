import { describeInBrowser } from "../support/browser-test.ts";
import { testKeyboard } from "./browser/keyboard.ts";
import { testLargeText } from "./browser/large-text.ts";
import { testLook } from "./browser/look.ts";

describeInBrowser((given) => {
  testLook(given);
  testLargeText(given);
  testKeyboard(given);
});
