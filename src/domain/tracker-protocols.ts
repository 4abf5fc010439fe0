/** The protocols that trackers speak to us directly, as `tracker_protocol` and `--trackers` name them. */
export const trackerProtocols = [
  "gt06",
  "jt808",
  "h02",
  "gps103",
  "tk103",
  "teltonika",
  "queclink",
  "suntech",
  "meitrack",
  "wialon",
  "ruptela",
  "topflytech",
  "galileosky",
] as const;

export type TrackerProtocol = (typeof trackerProtocols)[number];
