import { gps103 } from "../../../src/intake/trackers/gps103/family.ts";
import { gps103Messages } from "../../support/trackers/field/gps103.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(gps103, "text", gps103Messages);
