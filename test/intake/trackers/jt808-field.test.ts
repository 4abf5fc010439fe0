import { jt808 } from "../../../src/intake/trackers/jt808/family.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(jt808, "hex", fieldMessages("jt808"));
