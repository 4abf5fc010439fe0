export interface BrokerAddress {
  readonly protocol: "mqtt" | "mqtts";
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly password: string | null;
}

export interface BrokerSettings {
  readonly address: BrokerAddress;
  readonly topics: readonly string[];
  /** The broker stores our session under this name, so it must be the same at every start. */
  readonly clientId: string;
}

const defaultPorts = { mqtt: 1883, mqtts: 8883 } as const;

/** The standard's limit for any text. */
const maxTopicBytes = 65_535;

/** `mqtt://user:password@host:port`, or null. A path or a query is a mistake: it means nothing to a broker. */
export function readBrokerAddress(text: string): BrokerAddress | null {
  const protocol = /^(mqtts?):\/\//.exec(text)?.[1] as keyof typeof defaultPorts | undefined;
  if (protocol === undefined || !URL.canParse(text)) return null;
  const { hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (hostname === "" || port === "0" || !["", "/"].includes(pathname) || search !== "" || hash !== "") return null;
  try {
    return {
      protocol,
      // An IPv6 address has brackets in a URL, and nowhere else.
      host: hostname.replace(/^\[(.*)\]$/, "$1"),
      port: port === "" ? defaultPorts[protocol] : Number(port),
      username: username === "" ? null : decodeURIComponent(username),
      password: password === "" ? null : decodeURIComponent(password),
    };
  } catch {
    return null;
  }
}

/** Topic filters separated by commas, without repeats; null if one does not follow the standard. */
export function readTopicFilters(text: string): readonly string[] | null {
  const filters = text.split(",").map((filter) => filter.trim());
  return filters.every(isTopicFilter) ? [...new Set(filters)] : null;
}

/** `+` is any one level, `#` all that follow; `$share/NAME/` in front shares the messages among all subscribers of that name. */
function isTopicFilter(filter: string): boolean {
  if (filter.startsWith("$share/")) {
    const [, name = "", ...rest] = filter.split("/");
    return name !== "" && !/[+#]/.test(name) && isPlainFilter(rest.join("/"));
  }
  return isPlainFilter(filter);
}

function isPlainFilter(filter: string): boolean {
  if (filter === "" || filter.includes("\0") || Buffer.byteLength(filter) > maxTopicBytes) return false;
  const levels = filter.split("/");
  return levels.every(
    (level, index) => !/[+#]/.test(level) || level === "+" || (level === "#" && index === levels.length - 1),
  );
}
