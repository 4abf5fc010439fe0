import { describeInBrowser } from "../support/browser-test.ts";
import { testKeptForms } from "./browser/kept-forms.ts";
import { testReportRows } from "./browser/report-rows.ts";

describeInBrowser((given) => {
  testReportRows(given);
  testKeptForms(given);
});
