import { gt06 } from "../../../src/intake/trackers/gt06/family.ts";
import { gt06FieldMessages } from "../../support/trackers/field/gt06.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(gt06, "hex", gt06FieldMessages);
