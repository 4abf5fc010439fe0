import { suntech } from "../../../src/intake/trackers/suntech/family.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(suntech, "text", fieldMessages("suntech-text"));
testFieldMessages(suntech, "hex", fieldMessages("suntech-binary"));
