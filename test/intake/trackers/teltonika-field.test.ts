import { teltonika } from "../../../src/intake/trackers/teltonika/family.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(teltonika, "hex", fieldMessages("teltonika"));
