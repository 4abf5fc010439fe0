import { queclink } from "../../../src/intake/trackers/queclink/family.ts";
import { queclinkMessages } from "../../support/trackers/field/queclink.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(queclink, "text", queclinkMessages);
