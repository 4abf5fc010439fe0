import { teltonika } from "../../../src/intake/trackers/teltonika/family.ts";
import { teltonikaFieldMessages } from "../../support/trackers/field/teltonika.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(teltonika, "hex", teltonikaFieldMessages);
