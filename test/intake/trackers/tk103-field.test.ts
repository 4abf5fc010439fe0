import { tk103 } from "../../../src/intake/trackers/tk103/family.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(tk103, "text", fieldMessages("tk103"));
