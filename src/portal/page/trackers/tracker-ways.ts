import type { Place } from "../../../domain/geometry/distance.ts";
import type { BrokerPlace, IngestAddress } from "../../both-sides/contract/trackers.ts";

/** The ways by which frames come in. */
export const trackerWays = ["traccar", "traccar_client", "osmand", "owntracks", "curl", "mqtt"] as const;
export type TrackerWay = (typeof trackerWays)[number];

interface Paste {
  readonly into: PasteTarget;
  readonly text: string;
}

export type PasteTarget =
  | "traccar_positions"
  | "traccar_events"
  | "server_url"
  | "identifier"
  | "web_address"
  | "url"
  | "user_name"
  | "password"
  | "device_id"
  | "terminal"
  | "topic";

interface PasteValues {
  readonly address: IngestAddress;
  readonly token: string;
  readonly imei: string;
  /** What the line for a terminal reports. */
  readonly place: Place;
}

/** Somewhere in Berlin, for a vehicle that has never been anywhere. */
export const somePlace: Place = { latitude: 52.52, longitude: 13.405 };

export function offeredWays({ mqtt }: IngestAddress): readonly TrackerWay[] {
  return trackerWays.filter((way) => way !== "mqtt" || mqtt !== null);
}

/** What to paste for one way, complete. Pure. docs/ingest.md has these lines for people who run the server. */
export function pastesOf(way: TrackerWay, values: PasteValues): readonly Paste[] {
  const { address, token, imei } = values;
  const at = (path: string) => address.url.replace(/\/+$/, "") + path;
  const osmand = `${at("/osmand")}?token=${encodeURIComponent(token)}`;
  switch (way) {
    case "traccar":
      return [
        { into: "traccar_positions", text: traccarPositions(at("/traccar/positions"), token) },
        { into: "traccar_events", text: traccarEvents(at("/traccar/events"), token) },
      ];
    case "traccar_client":
      return [
        { into: "server_url", text: osmand },
        { into: "identifier", text: imei },
      ];
    case "osmand":
      // What OsmAnd calls HDOP is an accuracy in metres, and its speed is in metres per second.
      return [
        {
          into: "web_address",
          text: `${osmand}&id=${imei}&lat={0}&lon={1}&timestamp={2}&accuracy={3}&altitude={4}&speed_ms={5}&bearing={6}`,
        },
      ];
    case "owntracks":
      return [
        { into: "url", text: at("/owntracks") },
        { into: "user_name", text: "odograph" },
        { into: "password", text: token },
        { into: "device_id", text: imei },
      ];
    case "curl":
      return [{ into: "terminal", text: curlLine(at("/frames"), values) }];
    case "mqtt":
      return address.mqtt === null ? [] : brokerPastes(address.mqtt, values);
  }
}

/** Without the retries, Traccar drops what it could not deliver; 15 of them bridge almost an hour. */
function traccarPositions(url: string, token: string): string {
  return entries([
    ["forward.type", "json"],
    ["forward.url", url],
    ["forward.header", `Authorization: Bearer ${token}`],
    ["forward.retry.enable", "true"],
    ["forward.retry.count", "15"],
    ["forward.retry.limit", "100000"],
  ]);
}

function traccarEvents(url: string, token: string): string {
  return entries([
    ["event.forward.type", "json"],
    ["event.forward.url", url],
    ["event.forward.header", `Authorization: Bearer ${token}`],
  ]);
}

function entries(values: readonly (readonly [key: string, value: string])[]): string {
  return values.map(([key, value]) => `<entry key='${key}'>${inXml(value)}</entry>`).join("\n");
}

/** The shell writes the time, so that the line works whenever it is pasted. */
function curlLine(url: string, values: PasteValues): string {
  const headers = `-H 'Authorization: Bearer ${values.token}' -H 'Content-Type: application/json'`;
  return `curl ${headers} ${quoted(url)} -d ${frame(values)}`;
}

function brokerPastes({ host, port, is_tls, topics }: BrokerPlace, values: PasteValues): readonly Paste[] {
  const topic = topicOf(topics, values.imei);
  const tls = is_tls ? " --tls-use-os-certs" : "";
  const user = "-u USER -P PASSWORD";
  const line = `mosquitto_pub -h ${quoted(host)} -p ${port}${tls} ${user} -q 1 -t ${quoted(topic)} -m ${frame(values)}`;
  return [
    { into: "topic", text: topic },
    { into: "terminal", text: line },
  ];
}

/** One frame, in quotes for a shell. */
function frame({ imei, place: { latitude, longitude } }: PasteValues): string {
  const time = `"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"`;
  return `'{"imei":"${imei}","recorded_at":${time},"latitude":${latitude},"longitude":${longitude},"ignition":true}'`;
}

/** A topic that the first filter matches, and that names the device. */
function topicOf([filter = ""]: readonly string[], imei: string): string {
  let isNamed = false;
  const levels = filter.replace(/^\$share\/[^/]+\//, "").split("/");
  const named = levels.map((level) => {
    if (level !== "+" && level !== "#") return level;
    if (isNamed) return "tracker";
    isNamed = true;
    return imei;
  });
  return named.join("/");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function inXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
