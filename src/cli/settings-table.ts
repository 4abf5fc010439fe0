import { resolve } from "node:path";
import { defaultMaxKeysPerUser } from "../access/keys.ts";
import { isText } from "../domain/text.ts";
import { readBrokerAddress, readTopicFilters } from "../intake/mqtt/broker-settings.ts";
import { logLevels } from "../observe/observation.ts";
import { geocoderKinds } from "../portal/geocoder-answers.ts";
import { readSmtpAddress, smtpExpected } from "../portal/mail/smtp-address.ts";
import { maskedAddress } from "./masked-address.ts";
import type { Setting } from "./setting.ts";
import { tracingTable } from "./tracing-settings.ts";

export const logFormats = ["auto", "json", "human"] as const;

export const settingsTable = {
  data: setting({
    flag: "data",
    environment: "ODOGRAPH_DATA",
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
    defaultText: null,
    read: readDatabaseUrl,
    expected: "postgres://user:password@host:port/database",
    shown: maskedAddress,
  }),
  databaseReadUrl: setting({
    flag: null,
    environment: "DATABASE_READ_URL",
    placeholder: "URL",
    help: "streaming replica of that PostgreSQL to read pages of lists from",
    defaultText: null,
    read: readDatabaseUrl,
    expected: "postgres://user:password@host:port/database",
    shown: maskedAddress,
  }),
  databasePool: setting({
    flag: null,
    environment: "ODOGRAPH_DATABASE_POOL",
    placeholder: "N",
    help: "PostgreSQL connections per process, at least 2 for serve",
    defaultText: "10",
    read: wholeNumber(1, 1000),
    expected: "a whole number from 1 to 1000",
  }),
  port: setting({
    flag: "port",
    environment: "ODOGRAPH_PORT",
    placeholder: "N",
    help: "port of the API (0: any free one)",
    defaultText: "8080",
    read: wholeNumber(0, 65535),
    expected: "a port from 0 to 65535",
  }),
  ingestPort: setting({
    flag: "ingest-port",
    environment: "ODOGRAPH_INGEST_PORT",
    placeholder: "N",
    help: "port of the ingest side: frames, /ready and /metrics (0: any free one)",
    defaultText: "8081",
    read: wholeNumber(0, 65535),
    expected: "a port from 0 to 65535",
  }),
  ingestUrl: setting({
    flag: "ingest-url",
    environment: "ODOGRAPH_INGEST_URL",
    placeholder: "URL",
    help: "address of the ingest side as trackers reach it, for the lines that the portal shows; without it, a guess",
    defaultText: null,
    read: readPlainUrl,
    expected: "an http:// or https:// address without a query, such as https://ingest.example.com",
  }),
  host: setting({
    flag: "host",
    environment: "ODOGRAPH_HOST",
    placeholder: "ADDRESS",
    help: "address to listen on",
    defaultText: "127.0.0.1",
    read: (text) => (/^[\w.:-]+$/.test(text) ? text : null),
    expected: "an address or a host name",
  }),
  workers: setting({
    flag: "workers",
    environment: "ODOGRAPH_WORKERS",
    placeholder: "N",
    help: "processes that answer the API; more than one needs PostgreSQL",
    defaultText: "1",
    read: wholeNumber(1, 64),
    expected: "a whole number from 1 to 64",
  }),
  drainSeconds: setting({
    flag: "drain-seconds",
    environment: "ODOGRAPH_DRAIN_SECONDS",
    placeholder: "N",
    help: "how long a server that is stopped still answers, so that balancers notice (3 with PostgreSQL, else 0)",
    defaultText: null,
    read: wholeNumber(0, 600),
    expected: "a whole number of seconds from 0 to 600",
  }),
  retainDays: setting({
    flag: "retain-days",
    environment: "ODOGRAPH_RETAIN_DAYS",
    placeholder: "N",
    help: "drop raw frames that are older; what was derived from them stays",
    defaultText: null,
    read: wholeNumber(1, 36_500),
    expected: "a whole number of days from 1 to 36500",
  }),
  trustClock: setting({
    flag: "trust-clock",
    environment: "ODOGRAPH_TRUST_CLOCK",
    placeholder: "YES|NO",
    help: "yes: the clock is right, drop old frames even if that is nearly all of them; remove it after one start",
    defaultText: "no",
    read: oneOf(["yes", "no"] as const),
    expected: "yes or no",
  }),
  maxKeysPerUser: setting({
    flag: "max-keys-per-user",
    environment: "ODOGRAPH_MAX_KEYS_PER_USER",
    placeholder: "N",
    help: "working API keys that a user may have; users who already have more keep them",
    defaultText: String(defaultMaxKeysPerUser),
    read: wholeNumber(1, 100_000),
    expected: "a whole number from 1 to 100000",
  }),
  mqtt: setting({
    // May hold a password; `serve` warns if the flag does.
    flag: "mqtt",
    environment: "ODOGRAPH_MQTT",
    placeholder: "URL",
    help: "MQTT broker to receive frames from; put a password into the variable, not into the flag",
    defaultText: null,
    read: readBrokerAddress,
    expected: "mqtt://user:password@host:port or mqtts://…, without a path",
    shown: maskedAddress,
  }),
  mqttTopic: setting({
    flag: "mqtt-topic",
    environment: "ODOGRAPH_MQTT_TOPIC",
    placeholder: "FILTERS",
    help: "topic filters to subscribe to, separated by commas",
    defaultText: "odograph/+/frames,owntracks/+/+",
    read: readTopicFilters,
    expected: "topic filters separated by commas, such as fleet/+/frames or fleet/#",
  }),
  mqttClientId: setting({
    flag: "mqtt-client-id",
    environment: "ODOGRAPH_MQTT_CLIENT_ID",
    placeholder: "ID",
    help: "name of this node at the broker; by default made of the host's name and the ingest port",
    defaultText: null,
    read: (text) => (/^[\x21-\x7e]{1,128}$/.test(text) ? text : null),
    expected: "1 to 128 visible characters",
  }),
  mapStyle: setting({
    flag: "map-style",
    environment: "ODOGRAPH_MAP_STYLE",
    placeholder: "URL",
    help: "map style for the portal; without one it shows its built-in coarse map and loads nothing from other sites",
    defaultText: null,
    read: readHttpUrl,
    expected: "the http:// or https:// address of a map style",
    // Many map services want a key in it. Browsers get it, logs and screens of operators need not.
    shown: maskedAddress,
  }),
  mapStyleDark: setting({
    flag: "map-style-dark",
    environment: "ODOGRAPH_MAP_STYLE_DARK",
    placeholder: "URL",
    help: "map style for the portal in dark mode; without one the light style is shown there, too",
    defaultText: null,
    read: readHttpUrl,
    expected: "the http:// or https:// address of a map style",
    shown: maskedAddress,
  }),
  mapTiles: setting({
    flag: "map-tiles",
    environment: "ODOGRAPH_MAP_TILES",
    placeholder: "PATH",
    help: "PMTiles archive with streets for the portal's map, or a folder of several",
    defaultText: null,
    read: (text) => (text === "" ? null : resolve(text)),
    expected: "a .pmtiles file, or a folder of such files",
  }),
  geocoder: setting({
    flag: "geocoder",
    environment: "ODOGRAPH_GEOCODER",
    placeholder: "URL",
    help: "Photon or Nominatim server that names places in the portal; put a password into the variable",
    defaultText: null,
    read: readHttpUrl,
    expected: "the http:// or https:// address of a Photon or Nominatim server",
    shown: maskedAddress,
  }),
  geocoderKind: setting({
    flag: "geocoder-kind",
    environment: "ODOGRAPH_GEOCODER_KIND",
    placeholder: "KIND",
    help: `${geocoderKinds.join(" or ")}; without it, the geocoder's answers show it`,
    defaultText: null,
    read: oneOf(geocoderKinds),
    expected: `one of ${geocoderKinds.join(", ")}`,
  }),
  publicUrl: setting({
    flag: "public-url",
    environment: "ODOGRAPH_PUBLIC_URL",
    placeholder: "URL",
    help: "where people reach this server, for links in mails and for signing in with OpenID",
    defaultText: null,
    read: readPlainUrl,
    expected:
      "an http:// or https:// address without a query and without a password, such as https://fleet.example.com",
  }),
  smtp: setting({
    flag: "smtp",
    environment: "ODOGRAPH_SMTP",
    placeholder: "URL",
    help: "mail server for invitations and new passwords; its password is in ODOGRAPH_SMTP_PASSWORD or …_FILE",
    defaultText: null,
    read: readSmtpAddress,
    expected: smtpExpected,
    shown: maskedAddress,
  }),
  mailFrom: setting({
    flag: "mail-from",
    environment: "ODOGRAPH_MAIL_FROM",
    placeholder: "ADDRESS",
    help: "sender of mails, such as fleet@example.com",
    defaultText: null,
    read: (text) => (/^(?:[^<>\r\n]*<)?[^\s@<>]+@[^\s@<>]+>?$/.test(text) ? text : null),
    expected: "an e-mail address, such as fleet@example.com or Fleet <fleet@example.com>",
  }),
  oidcIssuer: setting({
    flag: "oidc-issuer",
    environment: "ODOGRAPH_OIDC_ISSUER",
    placeholder: "URL",
    help: "OpenID provider to sign in with, besides passwords; it needs --oidc-client-id",
    defaultText: null,
    read: readIssuer,
    expected: "the https:// address of an OpenID provider, without a name or a password (http:// on this machine only)",
    shown: maskedAddress,
  }),
  oidcClientId: setting({
    flag: "oidc-client-id",
    environment: "ODOGRAPH_OIDC_CLIENT_ID",
    placeholder: "ID",
    help: "what the provider calls this server; its secret is in ODOGRAPH_OIDC_CLIENT_SECRET or …_FILE",
    defaultText: null,
    read: (text) => (/^[\x21-\x7e]{1,500}$/.test(text) ? text : null),
    expected: "1 to 500 visible characters",
  }),
  oidcName: setting({
    flag: "oidc-name",
    environment: "ODOGRAPH_OIDC_NAME",
    placeholder: "NAME",
    help: "what the button to sign in calls the provider",
    defaultText: "OpenID",
    read: (text) => (isText(text, 1, 50) ? text : null),
    expected: "1 to 50 characters",
  }),
  logLevel: setting({
    flag: "log-level",
    environment: "ODOGRAPH_LOG_LEVEL",
    placeholder: "LEVEL",
    help: `lowest level that is logged: ${logLevels.join(", ")}`,
    defaultText: "info",
    read: oneOf(logLevels),
    expected: `one of ${logLevels.join(", ")}`,
  }),
  logFormat: setting({
    flag: "log-format",
    environment: "ODOGRAPH_LOG_FORMAT",
    placeholder: "FORMAT",
    help: "json, human, or auto: human on a terminal",
    defaultText: "auto",
    read: oneOf(logFormats),
    expected: `one of ${logFormats.join(", ")}`,
  }),
  ...tracingTable,
} as const;

function setting<T>(definition: Setting<T>): Setting<T> {
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
