import type { TrackerProtocol } from "../../domain/tracker-protocols.ts";
import { galileosky } from "./galileosky/family.ts";
import { gps103 } from "./gps103/family.ts";
import { gt06 } from "./gt06/family.ts";
import { h02 } from "./h02/family.ts";
import { jt808 } from "./jt808/family.ts";
import type { TrackerFamily } from "./kit/family.ts";
import { meitrack } from "./meitrack/family.ts";
import { queclink } from "./queclink/family.ts";
import { ruptela } from "./ruptela/family.ts";
import { suntech } from "./suntech/family.ts";
import { teltonika } from "./teltonika/family.ts";
import { tk103 } from "./tk103/family.ts";
import { topflytech } from "./topflytech/family.ts";
import { wialon } from "./wialon/family.ts";

/** Every family that trackers may speak. A new one is a folder beside this file, and a line here. */
export const families: Readonly<Record<TrackerProtocol, TrackerFamily>> = {
  gt06,
  jt808,
  h02,
  gps103,
  tk103,
  teltonika,
  queclink,
  suntech,
  meitrack,
  wialon,
  ruptela,
  topflytech,
  galileosky,
};
