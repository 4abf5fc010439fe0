import { resolve } from "node:path";
import { defaultMaxKeysPerUser } from "../../access/keys.ts";
import { isText } from "../../domain/text.ts";
import { readBrokerAddress, readTopicFilters } from "../../intake/mqtt/broker-settings.ts";
import { logLevels } from "../../observe/observation.ts";
import { geocoderKinds } from "../../portal/geocoder/geocoder-answers.ts";
import { readSmtpAddress, smtpExpected } from "../../portal/mail/smtp-address.ts";
import { maskedAddress } from "./masked-address.ts";
import { named, type Setting, type SettingDefinition } from "./setting.ts";
import { tracingTable } from "./tracing-settings.ts";

export const logFormats = ["auto", "json", "human"] as const;

const definitions = {
  data: setting({
    placeholder: "DIR",
    help: "data directory of the embedded store",
    defaultText: "./odograph-data",
    read: (text) => (text === "" ? null : resolve(text)),
    expected: "a directory",
  }),
  databaseUrl: setting({
    flag: null,
    environment: "DATABASE_URL",
    placeholder: "URL",
    help: "PostgreSQL to use instead of the embedded store",
    read: readDatabaseUrl,
    expected: "postgres://user:password@host:port/database",
    shown: maskedAddress,
  }),
  databaseReadUrl: setting({
    flag: null,
    environment: "DATABASE_READ_URL",
    placeholder: "URL",
    help: "streaming replica of that PostgreSQL to read pages of lists from",
    read: readDatabaseUrl,
    expected: "postgres://user:password@host:port/database",
    shown: maskedAddress,
  }),
  databasePool: setting({
    flag: null,
    placeholder: "N",
    help: "PostgreSQL connections per process, at least 2 for serve",
    defaultText: "10",
    read: wholeNumber(1, 1000),
    expected: "a whole number from 1 to 1000",
  }),
  port: setting({
    placeholder: "N",
    help: "port of the API (0: any free one)",
    defaultText: "8080",
    read: wholeNumber(0, 65535),
    expected: "a port from 0 to 65535",
  }),
  ingestPort: setting({
    placeholder: "N",
    help: "port of the ingest side: frames, /ready and /metrics (0: any free one)",
    defaultText: "8081",
    read: wholeNumber(0, 65535),
    expected: "a port from 0 to 65535",
  }),
  ingestUrl: setting({
    placeholder: "URL",
    help: "address of the ingest side as trackers reach it, for the lines that the portal shows; without it, a guess",
    read: readPlainUrl,
    expected: "an http:// or https:// address without a query, such as https://ingest.example.com",
  }),
  host: setting({
    placeholder: "ADDRESS",
    help: "address to listen on",
    defaultText: "127.0.0.1",
    read: (text) => (/^[\w.:-]+$/.test(text) ? text : null),
    expected: "an address or a host name",
  }),
  workers: setting({
    placeholder: "N",
    help: "processes that answer the API; more than one needs PostgreSQL",
    defaultText: "1",
    read: wholeNumber(1, 64),
    expected: "a whole number from 1 to 64",
  }),
  drainSeconds: setting({
    placeholder: "N",
    help: "how long a server that is stopped still answers, so that balancers notice (3 with PostgreSQL, else 0)",
    read: wholeNumber(0, 600),
    expected: "a whole number of seconds from 0 to 600",
  }),
  retainDays: setting({
    placeholder: "N",
    help: "drop raw frames that are older; what was derived from them stays",
    read: wholeNumber(1, 36_500),
    expected: "a whole number of days from 1 to 36500",
  }),
  trustClock: setting({
    placeholder: "YES|NO",
    help: "yes: the clock is right, drop old frames even if that is nearly all of them; remove it after one start",
    defaultText: "no",
    read: oneOf(["yes", "no"] as const),
    expected: "yes or no",
  }),
  maxKeysPerUser: setting({
    placeholder: "N",
    help: "working API keys that a user may have; users who already have more keep them",
    defaultText: String(defaultMaxKeysPerUser),
    read: wholeNumber(1, 100_000),
    expected: "a whole number from 1 to 100000",
  }),
  mqtt: setting({
    // May hold a password; `serve` warns if the flag does.
    placeholder: "URL",
    help: "MQTT broker to receive frames from; put a password into the variable, not into the flag",
    read: readBrokerAddress,
    expected: "mqtt://user:password@host:port or mqtts://…, without a path",
    shown: maskedAddress,
  }),
  mqttTopic: setting({
    placeholder: "FILTERS",
    help: "topic filters to subscribe to, separated by commas",
    defaultText: "odograph/+/frames,owntracks/+/+",
    read: readTopicFilters,
    expected: "topic filters separated by commas, such as fleet/+/frames or fleet/#",
  }),
  mqttClientId: setting({
    placeholder: "ID",
    help: "name of this node at the broker; by default made of the host's name and the ingest port",
    read: (text) => (/^[\x21-\x7e]{1,128}$/.test(text) ? text : null),
    expected: "1 to 128 visible characters",
  }),
  mapStyle: setting({
    placeholder: "URL",
    help: "map style for the portal; without one it shows its built-in coarse map and loads nothing from other sites",
    read: readHttpUrl,
    expected: "the http:// or https:// address of a map style",
    // Many map services want a key in it. Browsers get it, logs and screens of operators need not.
    shown: maskedAddress,
  }),
  mapStyleDark: setting({
    placeholder: "URL",
    help: "map style for the portal in dark mode; without one the light style is shown there, too",
    read: readHttpUrl,
    expected: "the http:// or https:// address of a map style",
    shown: maskedAddress,
  }),
  mapTiles: setting({
    placeholder: "PATH",
    help: "PMTiles archive with streets for the portal's map, or a folder of several",
    read: (text) => (text === "" ? null : resolve(text)),
    expected: "a .pmtiles file, or a folder of such files",
  }),
  geocoder: setting({
    placeholder: "URL",
    help: "Photon or Nominatim server that names places in the portal; put a password into the variable",
    read: readHttpUrl,
    expected: "the http:// or https:// address of a Photon or Nominatim server",
    shown: maskedAddress,
  }),
  geocoderKind: setting({
    placeholder: "KIND",
    help: `${geocoderKinds.join(" or ")}; without it, the geocoder's answers show it`,
    read: oneOf(geocoderKinds),
    expected: `one of ${geocoderKinds.join(", ")}`,
  }),
  publicUrl: setting({
    placeholder: "URL",
    help: "where people reach this server, for links in mails and for signing in with OpenID",
    read: readPlainUrl,
    expected:
      "an http:// or https:// address without a query and without a password, such as https://fleet.example.com",
  }),
  smtp: setting({
    placeholder: "URL",
    help: "mail server for invitations and new passwords; its password is in ODOGRAPH_SMTP_PASSWORD or …_FILE",
    read: readSmtpAddress,
    expected: smtpExpected,
    shown: maskedAddress,
  }),
  mailFrom: setting({
    placeholder: "ADDRESS",
    help: "sender of mails, such as fleet@example.com",
    read: (text) => (/^(?:[^<>\r\n]*<)?[^\s@<>]+@[^\s@<>]+>?$/.test(text) ? text : null),
    expected: "an e-mail address, such as fleet@example.com or Fleet <fleet@example.com>",
  }),
  oidcIssuer: setting({
    placeholder: "URL",
    help: "OpenID provider to sign in with, besides passwords; it needs --oidc-client-id",
    read: readIssuer,
    expected: "the https:// address of an OpenID provider, without a name or a password (http:// on this machine only)",
    shown: maskedAddress,
  }),
  oidcClientId: setting({
    placeholder: "ID",
    help: "what the provider calls this server; its secret is in ODOGRAPH_OIDC_CLIENT_SECRET or …_FILE",
    read: (text) => (/^[\x21-\x7e]{1,500}$/.test(text) ? text : null),
    expected: "1 to 500 visible characters",
  }),
  oidcName: setting({
    placeholder: "NAME",
    help: "what the button to sign in calls the provider",
    defaultText: "OpenID",
    read: (text) => (isText(text, 1, 50) ? text : null),
    expected: "1 to 50 characters",
  }),
  logLevel: setting({
    placeholder: "LEVEL",
    help: `lowest level that is logged: ${logLevels.join(", ")}`,
    defaultText: "info",
    read: oneOf(logLevels),
    expected: `one of ${logLevels.join(", ")}`,
  }),
  logFormat: setting({
    placeholder: "FORMAT",
    help: "json, human, or auto: human on a terminal",
    defaultText: "auto",
    read: oneOf(logFormats),
    expected: `one of ${logFormats.join(", ")}`,
  }),
  ...tracingTable,
} as const;

type Definitions = typeof definitions;
type ValueOf<Definition> = Definition extends SettingDefinition<infer T> ? T : never;

export const settingsTable = Object.fromEntries(
  Object.entries<SettingDefinition<unknown>>(definitions).map(([name, definition]) => [name, named(name, definition)]),
) as { readonly [Name in keyof Definitions]: Setting<ValueOf<Definitions[Name]>> };

function setting<T>(definition: SettingDefinition<T>): SettingDefinition<T> {
  return definition;
}

function wholeNumber(min: number, max: number): (text: string) => number | null {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : null;
  };
}

function oneOf<T extends string>(allowed: readonly T[]): (text: string) => T | null {
  return (text) => allowed.find((candidate) => candidate === text) ?? null;
}

function readHttpUrl(text: string): string | null {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}

/** Whoever can read or change what a provider says can sign in as anybody. */
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
