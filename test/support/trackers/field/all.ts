import type { TrackerProtocol } from "../../../../src/domain/tracker-protocols.ts";
import { fieldMessages } from "./messages.ts";

/** The bytes of all messages from the field, by family. */
export const fieldBytes: Readonly<Record<TrackerProtocol, readonly Uint8Array[]>> = {
  gt06: bytesOf("gt06", "hex"),
  jt808: bytesOf("jt808", "hex"),
  h02: [...bytesOf("h02-text", "latin1"), ...bytesOf("h02-binary", "hex")],
  gps103: bytesOf("gps103", "latin1"),
  tk103: bytesOf("tk103", "latin1"),
  teltonika: bytesOf("teltonika", "hex"),
  queclink: bytesOf("queclink", "latin1"),
  suntech: [...bytesOf("suntech-text", "latin1"), ...bytesOf("suntech-binary", "hex")],
};

function bytesOf(file: string, form: "hex" | "latin1"): readonly Uint8Array[] {
  return fieldMessages(file).map(({ message }) => Uint8Array.from(Buffer.from(message, form)));
}
