import { type TrackerProtocol, trackerProtocols } from "../../../domain/tracker-protocols.ts";

/** What people call them, in every language. */
const names: Readonly<Record<TrackerProtocol, string>> = {
  gt06: "GT06",
  jt808: "JT/T 808",
  h02: "H02",
  gps103: "GPS103",
  tk103: "TK103",
  teltonika: "Teltonika",
  queclink: "Queclink",
  suntech: "Suntech",
  meitrack: "Meitrack",
  wialon: "Wialon IPS",
  ruptela: "Ruptela",
  topflytech: "Topflytech",
  galileosky: "Galileosky",
};

export function protocolName(protocol: TrackerProtocol): string {
  return names[protocol];
}

/** Any, and each. */
export function protocolOptions(any: string): readonly (readonly [value: string, text: string])[] {
  return [["", any], ...trackerProtocols.map((protocol) => [protocol, names[protocol]] as const)];
}

/** Of a text that may be anything. */
export function protocolIn(text: string | null): TrackerProtocol | null {
  return trackerProtocols.find((protocol) => protocol === text) ?? null;
}
