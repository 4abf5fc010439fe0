import { h02 } from "../../../src/intake/trackers/h02/family.ts";
import { h02Binary, h02Text } from "../../support/trackers/field/h02.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(h02, "text", h02Text);
testFieldMessages(h02, "hex", h02Binary);
