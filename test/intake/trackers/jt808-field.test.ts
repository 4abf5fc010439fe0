import { jt808 } from "../../../src/intake/trackers/jt808/family.ts";
import { jt808FieldMessages } from "../../support/trackers/field/jt808.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(jt808, "hex", jt808FieldMessages);
