import { describeInBrowser } from "../support/browser-test.ts";
import { testKeptForms } from "./browser/kept-forms.ts";

describeInBrowser((given) => {
  testKeptForms(given);
});
