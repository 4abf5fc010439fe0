import { gps103 } from "../../../src/intake/trackers/gps103/family.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(gps103, "text", fieldMessages("gps103"));
