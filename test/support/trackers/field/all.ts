import type { TrackerProtocol } from "../../../../src/domain/tracker-protocols.ts";
import { fieldMessages } from "./messages.ts";

interface FieldFile {
  readonly file: string;
  /** How the bytes are written. */
  readonly form: "hex" | "latin1";
}

/** The files of messages from the field. */
export const fieldFiles: Readonly<Record<TrackerProtocol, readonly FieldFile[]>> = {
  gt06: [{ file: "gt06", form: "hex" }],
  jt808: [{ file: "jt808", form: "hex" }],
  h02: [
    { file: "h02-text", form: "latin1" },
    { file: "h02-binary", form: "hex" },
  ],
  gps103: [{ file: "gps103", form: "latin1" }],
  tk103: [{ file: "tk103", form: "latin1" }],
  teltonika: [{ file: "teltonika", form: "hex" }],
  queclink: [
    { file: "queclink", form: "latin1" },
    { file: "queclink-binary", form: "hex" },
  ],
  meitrack: [{ file: "meitrack", form: "hex" }],
  wialon: [{ file: "wialon", form: "latin1" }],
  ruptela: [{ file: "ruptela", form: "hex" }],
  topflytech: [{ file: "topflytech", form: "hex" }],
  galileosky: [{ file: "galileosky", form: "hex" }],
  suntech: [
    { file: "suntech-text", form: "latin1" },
    { file: "suntech-binary", form: "hex" },
  ],
};

/** The bytes of all messages from the field of a family. */
export function fieldBytes(name: TrackerProtocol): readonly Uint8Array[] {
  return fieldFiles[name].flatMap(({ file, form }) =>
    fieldMessages(file).map(({ message }) => Uint8Array.from(Buffer.from(message, form))),
  );
}
