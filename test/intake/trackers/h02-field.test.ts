import { h02 } from "../../../src/intake/trackers/h02/family.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(h02, "text", fieldMessages("h02-text"));
testFieldMessages(h02, "hex", fieldMessages("h02-binary"));
