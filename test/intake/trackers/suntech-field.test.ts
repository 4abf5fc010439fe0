import { suntech } from "../../../src/intake/trackers/suntech/family.ts";
import { suntechBytes, suntechTexts } from "../../support/trackers/field/suntech.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(suntech, "text", suntechTexts);
testFieldMessages(suntech, "hex", suntechBytes);
