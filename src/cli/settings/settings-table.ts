import { resolve } from "node:path";
import { defaultMaxKeysPerUser } from "../../access/keys.ts";
import { isText } from "../../domain/text/text.ts";
import { readBrokerAddress, readTopicFilters } from "../../intake/mqtt/broker-settings.ts";
import { readNetworks } from "../../intake/trackers/gate/networks.ts";
import { readTrackerPorts, trackersExpected } from "../../intake/trackers/tracker-settings.ts";
import { logLevels } from "../../observe/observation.ts";
import { geocoderKinds } from "../../portal/geocoder/geocoder-answers.ts";
import { readSmtpAddress, smtpExpected } from "../../portal/mail/smtp-address.ts";
import { maskedAddress, named, readHttpUrl, type Setting, type SettingDefinition } from "./setting.ts";
import { tracingTable } from "./tracing-settings.ts";

const logFormats = ["auto", "json", "human"] as const;

const databaseAddress = {
  placeholder: "URL",
  read: readDatabaseUrl,
  expected: "postgres://user:password@host:port/database",
  shown: maskedAddress,
} as const;

const networks = {
  placeholder: "NETWORKS",
  read: (text: string) => (readNetworks(text) === null ? null : text),
  expected: "networks or addresses separated by commas, such as 10.0.0.0/8 or 2001:db8::/32",
} as const;

const definitions = {
  data: {
    placeholder: "DIR",
    help: "data directory of the embedded store",
    defaultText: "./odograph-data",
    read: (text) => (text === "" ? null : resolve(text)),
    expected: "a directory",
  },
  databaseUrl: {
    environment: "DATABASE_URL",
    help: "PostgreSQL to use instead of the embedded store",
    ...databaseAddress,
  },
  databaseReadUrl: {
    environment: "DATABASE_READ_URL",
    help: "streaming replica of that PostgreSQL to read pages of lists from",
    ...databaseAddress,
  },
  databasePool: {
    hasNoFlag: true,
    help: "PostgreSQL connections per process, at least 2 for serve",
    defaultText: "10",
    ...wholeNumber(1, 1000),
  },
  port: {
    help: "port of the API (0: any free one)",
    defaultText: "8080",
    ...wholeNumber(0, 65535, "a port"),
  },
  ingestPort: {
    help: "port of the ingest side: frames, /ready and /metrics (0: any free one)",
    defaultText: "8081",
    ...wholeNumber(0, 65535, "a port"),
  },
  ingestUrl: {
    placeholder: "URL",
    help: "address of the ingest side as trackers reach it, for the lines that the portal shows; without it, a guess",
    read: readPlainUrl,
    expected: "an http:// or https:// address without a query, such as https://ingest.example.com",
  },
  host: {
    placeholder: "ADDRESS",
    help: "address to listen on",
    defaultText: "127.0.0.1",
    read: (text) => (/^[\w.:-]+$/.test(text) ? text : null),
    expected: "an address or a host name",
  },
  workers: {
    help: "processes that answer the API; more than one needs PostgreSQL",
    defaultText: "1",
    ...wholeNumber(1, 64),
  },
  drainSeconds: {
    help: "how long a server that is stopped still answers, so that balancers notice (3 with PostgreSQL, else 0)",
    ...wholeNumber(0, 600, "a whole number of seconds"),
  },
  retainDays: {
    help: "drop raw frames that are older; what was derived from them stays",
    ...wholeNumber(1, 36_500, "a whole number of days"),
  },
  trustClock: {
    placeholder: "YES|NO",
    help: "yes: the clock is right, drop old frames even if that is nearly all of them; remove it after one start",
    defaultText: "no",
    ...oneOf(["yes", "no"]),
    expected: "yes or no",
  },
  maxKeysPerUser: {
    help: "working API keys that a user may have; users who already have more keep them",
    defaultText: String(defaultMaxKeysPerUser),
    ...wholeNumber(1, 100_000),
  },
  mqtt: {
    // May hold a password; `serve` warns if the flag does.
    placeholder: "URL",
    help: "MQTT broker to receive frames from; put a password into the variable, not into the flag",
    read: readBrokerAddress,
    expected: "mqtt://user:password@host:port or mqtts://…, without a path",
    shown: maskedAddress,
  },
  mqttTopic: {
    placeholder: "FILTERS",
    help: "topic filters to subscribe to, separated by commas",
    defaultText: "odograph/+/frames,owntracks/+/+",
    read: readTopicFilters,
    expected: "topic filters separated by commas, such as fleet/+/frames or fleet/#",
  },
  mqttClientId: {
    placeholder: "ID",
    help: "name of this node at the broker; by default made of the host's name and the ingest port",
    read: (text) => (/^[\x21-\x7e]{1,128}$/.test(text) ? text : null),
    expected: "1 to 128 visible characters",
  },
  trackers: {
    placeholder: "NAMES",
    help: "tracker families to listen to, such as gt06,teltonika=5027; none by default",
    read: readTrackerPorts,
    expected: trackersExpected,
  },
  trackerHost: {
    placeholder: "ADDRESS",
    help: "address on which trackers are listened to; by default that of --host",
    read: (text) => (/^[\w.:-]+$/.test(text) ? text : null),
    expected: "an address or a host name",
  },
  trackerNetworks: {
    help: "networks from which trackers may connect, such as 10.0.0.0/8,2001:db8::/32; by default all",
    ...networks,
  },
  trackerProxies: {
    help: "balancers that say by the PROXY protocol where a tracker is, such as 10.0.0.2; by default none",
    ...networks,
  },
  mapStyle: {
    help: "map style for the portal; without one it shows its built-in coarse map and loads nothing from other sites",
    // Many map services want a key in it. Browsers get it, logs and screens of operators need not.
    ...webAddress("a map style"),
  },
  mapStyleDark: {
    help: "map style for the portal in dark mode; without one the light style is shown there, too",
    ...webAddress("a map style"),
  },
  mapTiles: {
    placeholder: "PATH",
    help: "PMTiles archive with streets for the portal's map, or a folder of several",
    read: (text) => (text === "" ? null : resolve(text)),
    expected: "a .pmtiles file, or a folder of such files",
  },
  geocoder: {
    help: "Photon or Nominatim server that names places in the portal; put a password into the variable",
    ...webAddress("a Photon or Nominatim server"),
  },
  geocoderKind: {
    placeholder: "KIND",
    help: `${geocoderKinds.join(" or ")}; without it, the geocoder's answers show it`,
    ...oneOf(geocoderKinds),
  },
  publicUrl: {
    placeholder: "URL",
    help: "where people reach this server, for links in mails and for signing in with OpenID",
    read: readPlainUrl,
    expected:
      "an http:// or https:// address without a query and without a password, such as https://fleet.example.com",
  },
  smtp: {
    placeholder: "URL",
    help: "mail server for links and notifications; its password is in ODOGRAPH_SMTP_PASSWORD or …_FILE",
    read: readSmtpAddress,
    expected: smtpExpected,
    shown: maskedAddress,
  },
  mailFrom: {
    placeholder: "ADDRESS",
    help: "sender of mails, such as fleet@example.com",
    read: (text) => (/^(?:[^<>\r\n]*<)?[^\s@<>]+@[^\s@<>]+>?$/.test(text) ? text : null),
    expected: "an e-mail address, such as fleet@example.com or Fleet <fleet@example.com>",
  },
  oidcIssuer: {
    placeholder: "URL",
    help: "OpenID provider to sign in with, besides passwords; it needs --oidc-client-id",
    read: readIssuer,
    expected: "the https:// address of an OpenID provider, without a name or a password (http:// on this machine only)",
    shown: maskedAddress,
  },
  oidcClientId: {
    placeholder: "ID",
    help: "what the provider calls this server; its secret is in ODOGRAPH_OIDC_CLIENT_SECRET or …_FILE",
    read: (text) => (/^[\x21-\x7e]{1,500}$/.test(text) ? text : null),
    expected: "1 to 500 visible characters",
  },
  oidcName: {
    placeholder: "NAME",
    help: "what the button to sign in calls the provider",
    defaultText: "OpenID",
    read: (text) => (isText(text, 1, 50) ? text : null),
    expected: "1 to 50 characters",
  },
  logLevel: {
    placeholder: "LEVEL",
    help: `lowest level that is logged: ${logLevels.join(", ")}`,
    defaultText: "info",
    ...oneOf(logLevels),
  },
  logFormat: {
    placeholder: "FORMAT",
    help: "json, human, or auto: human on a terminal",
    defaultText: "auto",
    ...oneOf(logFormats),
  },
  ...tracingTable,
} as const satisfies Record<string, SettingDefinition>;

type Definitions = typeof definitions;
export type SettingName = keyof Definitions;
/** Null: it is not set, and has no default. */
export type SettingValue<Name extends SettingName> =
  | NonNullable<ReturnType<Definitions[Name]["read"]>>
  | (Definitions[Name] extends { readonly defaultText: string } ? never : null);

export const settingNames = Object.keys(definitions) as readonly SettingName[];

export const settingsTable = Object.fromEntries(
  settingNames.map((name) => [name, named(name, definitions[name])]),
) as Readonly<Record<SettingName, Setting>>;

function wholeNumber(min: number, max: number, what = "a whole number") {
  const read = (text: string): number | null => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : null;
  };
  return { placeholder: "N", read, expected: `${what} from ${min} to ${max}` };
}

function oneOf<const T extends string>(allowed: readonly T[]) {
  const read = (text: string): T | null => allowed.find((candidate) => candidate === text) ?? null;
  return { read, expected: `one of ${allowed.join(", ")}` };
}

function webAddress(of: string) {
  const expected = `the http:// or https:// address of ${of}`;
  return { placeholder: "URL", read: readHttpUrl, expected, shown: maskedAddress };
}

/** A person who can read or change what a provider says could sign in as anybody. */
function readIssuer(text: string): string | null {
  if (readHttpUrl(text) === null) return null;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  const isPlain = [username, password, search, hash].every((part) => part === "");
  return isPlain && (protocol === "https:" || isHere) ? text : null;
}

/** Paths are appended to it, and it is shown to people. */
function readPlainUrl(text: string): string | null {
  if (readHttpUrl(text) === null) return null;
  const { search, hash, username, password } = new URL(text);
  return [search, hash, username, password].every((part) => part === "") ? text.replace(/\/+$/, "") : null;
}

function readDatabaseUrl(text: string): string | null {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return null;
  return new URL(text).pathname.length > 1 ? text : null;
}
