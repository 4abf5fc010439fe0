import { describeInBrowser } from "../support/browser-test.ts";
import { testConnect } from "./browser/connect.ts";

describeInBrowser((given) => testConnect(given));
