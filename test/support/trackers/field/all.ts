import type { TrackerProtocol } from "../../../../src/domain/tracker-protocols.ts";
import type { FieldMessage } from "../field-message.ts";
import { gps103Messages } from "./gps103.ts";
import { gt06FieldMessages } from "./gt06.ts";
import { h02Binary, h02Text } from "./h02.ts";
import { jt808FieldMessages } from "./jt808.ts";
import { queclinkMessages } from "./queclink.ts";
import { suntechBytes, suntechTexts } from "./suntech.ts";
import { teltonikaFieldMessages } from "./teltonika.ts";
import { tk103Messages } from "./tk103.ts";

/** The bytes of all messages from the field, by family. */
export const fieldBytes: Readonly<Record<TrackerProtocol, readonly Uint8Array[]>> = {
  gt06: ofHex(gt06FieldMessages),
  jt808: ofHex(jt808FieldMessages),
  h02: [...ofText(h02Text), ...ofHex(h02Binary)],
  gps103: ofText(gps103Messages),
  tk103: ofText(tk103Messages),
  teltonika: ofHex(teltonikaFieldMessages),
  queclink: ofText(queclinkMessages),
  suntech: [...ofText(suntechTexts), ...ofHex(suntechBytes)],
};

function ofHex(messages: readonly FieldMessage[]): readonly Uint8Array[] {
  return messages.map(({ message }) => Uint8Array.from(Buffer.from(message, "hex")));
}

function ofText(messages: readonly FieldMessage[]): readonly Uint8Array[] {
  return messages.map(({ message }) => Uint8Array.from(Buffer.from(message, "latin1")));
}
