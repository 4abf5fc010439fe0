import { describeInBrowser } from "../support/browser-test.ts";
import { testLook } from "./browser/look.ts";

describeInBrowser((given) => testLook(given));
