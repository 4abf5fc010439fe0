import { queclink } from "../../../src/intake/trackers/queclink/family.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(queclink, "text", fieldMessages("queclink"));
