import { hostname } from "node:os";
import { Failure } from "../../domain/errors.ts";
import type { BrokerSettings } from "../../intake/mqtt/broker-settings.ts";
import type { TrackerSettings } from "../../intake/trackers/tracker-settings.ts";
import type { TracingSettings } from "../../observe/traces.ts";
import type { GeocoderSettings } from "../../portal/geocoder/geocoder.ts";
import type { MailSettings } from "../../portal/mail/mail.ts";
import type { OpenIdSettings } from "../../portal/openid/provider.ts";
import type { StoreTarget } from "../../store/open.ts";
import { readSecret } from "./secret-file.ts";
import { type SettingName, type SettingValue, settingNames, settingsTable } from "./settings-table.ts";

/** Or the file that ODOGRAPH_SMTP_PASSWORD_FILE names; of the other secret the same. */
const smtpPassword = "ODOGRAPH_SMTP_PASSWORD";
const oidcClientSecret = "ODOGRAPH_OIDC_CLIENT_SECRET";
const secrets = { smtpPassword, oidcClientSecret } as const;

/** Settings that every command takes. */
const storeSettings = [
  "data",
  "databaseUrl",
  "databaseReadUrl",
  "databasePool",
] as const satisfies readonly SettingName[];

export type ServerSetting = Exclude<SettingName, (typeof storeSettings)[number]>;

/** All others that have a flag: they concern the server. */
export const serverSettings = settingNames.filter(
  (name): name is ServerSetting =>
    !storeSettings.some((ofStore) => ofStore === name) && settingsTable[name].flag !== null,
);

/** Settings that are used as they are written. */
const plainSettings = [
  "port",
  "ingestPort",
  "ingestUrl",
  "host",
  "workers",
  "drainSeconds",
  "retainDays",
  "maxKeysPerUser",
  "mapStyle",
  "mapStyleDark",
  "mapTiles",
  "publicUrl",
  "logLevel",
  "logFormat",
] as const satisfies readonly SettingName[];

type PlainSettings = { readonly [Name in (typeof plainSettings)[number]]: SettingValue<Name> };

export interface Settings extends PlainSettings {
  readonly store: StoreTarget;
  /** Null: everything is read from the store itself. */
  readonly replicaUrl: string | null;
  /** Where this process may keep files, whatever the store is. */
  readonly dataDirectory: string;
  /** Whether the operator has checked the clock, and old frames go even if that is nearly all of them. */
  readonly trustsClock: boolean;
  readonly mqtt: BrokerSettings | null;
  /** Null: no tracker connects to this server. */
  readonly trackers: TrackerSettings | null;
  readonly geocoder: GeocoderSettings | null;
  readonly mail: MailSettings | null;
  readonly openId: OpenIdSettings | null;
  readonly tracing: TracingSettings | null;
}

/** A setting and where its value came from, for `odograph config`. */
export interface EffectiveSetting {
  readonly name: SettingName | keyof typeof secrets;
  readonly environment: string;
  readonly flag: string | null;
  readonly shown: string | null;
  readonly source: "flag" | "environment" | "file" | "default";
}

type Flags = Readonly<Record<string, string | boolean | undefined>>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Each setting is read on demand: a wrong port must not stop a command that does not listen. */
export function readSettings(flags: Flags, environment: Environment): Settings {
  const value = <Name extends SettingName>(name: Name) => readOne(name, flags, environment);
  const plain = Object.fromEntries(plainSettings.map((name) => [name, { get: () => value(name), enumerable: true }]));
  const combined = {
    get store(): StoreTarget {
      const url = value("databaseUrl");
      if (url === null) return { engine: "sqlite", directory: value("data") };
      return { engine: "postgres", url, poolSize: value("databasePool") };
    },
    get replicaUrl() {
      const url = value("databaseReadUrl");
      const { store } = this;
      if (url !== null && store.engine === "sqlite") {
        throw wrongSetting("DATABASE_READ_URL needs DATABASE_URL: it names a replica of that server");
      }
      if (url !== null && store.engine === "postgres" && serverOf(url) === serverOf(store.url)) {
        throw wrongSetting("DATABASE_READ_URL is the address of DATABASE_URL: name a replica, or remove it");
      }
      return url;
    },
    get dataDirectory() {
      return value("data");
    },
    get trustsClock() {
      return value("trustClock") === "yes";
    },
    get mqtt() {
      const topics = value("mqttTopic");
      const clientId = value("mqttClientId") ?? `odograph-${hostname()}-${value("ingestPort")}`;
      const address = value("mqtt");
      return address === null ? null : { address, topics, clientId };
    },
    get trackers() {
      const ports = value("trackers");
      const [networks, proxies, hostname] = [value("trackerNetworks"), value("trackerProxies"), value("trackerHost")];
      if (ports !== null) return { ports, hostname: hostname ?? value("host"), networks, proxies };
      const given = { "--tracker-networks": networks, "--tracker-proxies": proxies, "--tracker-host": hostname };
      const alone = Object.entries(given).find(([, text]) => text !== null);
      if (alone !== undefined) throw wrongSetting(`${alone[0]} needs --trackers`);
      return null;
    },
    get geocoder() {
      const kind = value("geocoderKind");
      const url = value("geocoder");
      return url === null ? null : { url, kind };
    },
    get mail() {
      const smtp = value("smtp");
      const from = value("mailFrom");
      if (smtp === null && from !== null) throw wrongSetting("--mail-from needs --smtp");
      if (smtp === null) return null;
      const needed = [from === null && "--mail-from", value("publicUrl") === null && "--public-url"].filter(Boolean);
      if (from === null || needed.length > 0) {
        throw wrongSetting(`--smtp needs ${needed.join(" and ")}, for the mails that it sends`);
      }
      const password = readSecret(environment, smtpPassword);
      if (smtp.user !== null && password === null) {
        const message = `--smtp names a user, so it needs the password, in ${smtpPassword} or ${smtpPassword}_FILE`;
        throw wrongSetting(message);
      }
      return { smtp, from, password };
    },
    get openId() {
      const issuer = value("oidcIssuer");
      const clientId = value("oidcClientId");
      if (issuer === null) {
        const isNamed = findText("oidcName", flags, environment).source !== "default";
        const alone = clientId !== null ? "--oidc-client-id" : isNamed ? "--oidc-name" : null;
        if (alone !== null) throw wrongSetting(`${alone} needs --oidc-issuer`);
        return null;
      }
      if (clientId === null) throw wrongSetting("--oidc-issuer needs --oidc-client-id");
      return { issuer, clientId, name: value("oidcName"), clientSecret: readSecret(environment, oidcClientSecret) };
    },
    get tracing() {
      const collector = value("otlpEndpoint")?.replace(/\/*$/, "/v1/traces");
      const url = value("otlpTracesEndpoint") ?? collector;
      const settings = {
        headers: value("otlpHeaders") ?? {},
        resource: value("otelResource") ?? {},
        serviceName: value("otelServiceName"),
        sampler: value("otelSampler"),
        ratio: value("otelSamplerArg"),
      };
      return url === undefined || value("otelDisabled") ? null : { url, ...settings };
    },
  };
  return Object.defineProperties(combined, plain) as typeof combined & PlainSettings;
}

/** What `serve` refuses before it opens anything: settings that are right alone and wrong together. */
export function requireServable(settings: Settings): void {
  // Reading them checks them.
  void [
    settings.mail,
    settings.openId,
    settings.mqtt,
    settings.trackers,
    settings.geocoder,
    settings.replicaUrl,
    settings.tracing,
  ];
  const { store, workers, port, ingestPort } = settings;
  if (store.engine === "sqlite" && workers > 1) {
    throw wrongSetting("--workers (ODOGRAPH_WORKERS): more than one needs PostgreSQL: set DATABASE_URL");
  }
  if (port === ingestPort && port !== 0) {
    throw wrongSetting(`--ingest-port: expected another port than --port, got ${port} for both`);
  }
  if (settings.trackers) requirePortsOfTheirOwn(settings.trackers, settings);
}

/** Otherwise the message would be that another program has the port. */
function requirePortsOfTheirOwn({ ports, hostname }: TrackerSettings, { host, port, ingestPort }: Settings): void {
  const taken = new Map<number, string>();
  if (hostname === host) taken.set(port, "--port").set(ingestPort, "--ingest-port");
  for (const { name, port } of ports) {
    if (port === null || port === 0) continue;
    const other = taken.get(port);
    if (other !== undefined)
      throw wrongSetting(`--trackers: expected another port for ${name} than for ${other}, got ${port} for both`);
    taken.set(port, name);
  }
}

export function effectiveSettings(flags: Flags, environment: Environment): EffectiveSetting[] {
  const read = settingNames.map((name): EffectiveSetting => {
    readOne(name, flags, environment);
    const { flag, environment: variable, shown } = settingsTable[name];
    const { text, source } = findText(name, flags, environment);
    return { name, environment: variable, flag, shown: text !== null && shown ? shown(text) : text, source };
  });
  return [...read, ...effectiveSecrets(environment)];
}

/** Whether they are set, and nothing more. */
function effectiveSecrets(environment: Environment): EffectiveSetting[] {
  return (Object.keys(secrets) as (keyof typeof secrets)[]).map((name): EffectiveSetting => {
    const variable = secrets[name];
    const isSet = readSecret(environment, variable) !== null;
    const source = !isSet ? "default" : environment[variable] ? "environment" : "file";
    return { name, environment: variable, flag: null, shown: isSet ? "***" : null, source };
  });
}

function readOne<Name extends SettingName>(name: Name, flags: Flags, environment: Environment): SettingValue<Name> {
  const { read, expected, shown, flag, environment: variable } = settingsTable[name];
  const { text, source } = findText(name, flags, environment);
  if (text === null) return null as SettingValue<Name>;
  const value = read(text);
  if (value === null) {
    const label = source === "flag" ? `--${flag}` : variable;
    // A value that may hold a secret is never repeated, nor is a password in an address where none belongs.
    const got = shown || /:.*@/s.test(text) ? "" : `, got "${text}"`;
    throw wrongSetting(`${label}: expected ${expected}${got}`);
  }
  return value as SettingValue<Name>;
}

function findText(
  name: SettingName,
  flags: Flags,
  environment: Environment,
): { readonly text: string | null; readonly source: EffectiveSetting["source"] } {
  const { flag, environment: variable, defaultText } = settingsTable[name];
  const given = flag === null ? undefined : flags[flag];
  if (typeof given === "string") return { text: given, source: "flag" };
  const inherited = environment[variable];
  // Many tools unset a variable by making it empty.
  if (inherited !== undefined && inherited !== "") return { text: inherited, source: "environment" };
  return { text: defaultText, source: "default" };
}

/** Where an address of PostgreSQL leads to. A socket is named behind the question mark. */
function serverOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  return [hostname, port || "5432", searchParams.get("host"), searchParams.get("path")].join(" ");
}

function wrongSetting(message: string): Failure {
  return new Failure("WRONG_SETTING", message);
}
