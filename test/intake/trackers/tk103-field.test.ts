import { tk103 } from "../../../src/intake/trackers/tk103/family.ts";
import { tk103Messages } from "../../support/trackers/field/tk103.ts";
import { testFieldMessages } from "../../support/trackers/field-message.ts";

testFieldMessages(tk103, "text", tk103Messages);
