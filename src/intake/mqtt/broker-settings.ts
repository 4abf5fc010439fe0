/** Where the broker is, and who we are to it. */
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
  /** The broker keeps our place in the queue under this name, so it must stay the same from start to start. */
  readonly clientId: string;
}

const usualPorts = { mqtt: 1883, mqtts: 8883 } as const;

/** The standard's limit for any text. */
const maxTopicBytes = 65_535;

/** `mqtt://user:password@host:port`, or null. A path or a query means nothing to a broker: whoever writes one errs. */
export function readBrokerAddress(text: string): BrokerAddress | null {
  const protocol = /^(mqtts?):\/\//.exec(text)?.[1] as keyof typeof usualPorts | undefined;
  if (protocol === undefined || !URL.canParse(text)) return null;
  const { hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (hostname === "" || port === "0" || !["", "/"].includes(pathname) || search !== "" || hash !== "") return null;
  try {
    return {
      protocol,
      // An IPv6 address stands in brackets in an address, and without them everywhere else.
      host: hostname.replace(/^\[(.*)\]$/, "$1"),
      port: port === "" ? usualPorts[protocol] : Number(port),
      username: username === "" ? null : decodeURIComponent(username),
      password: password === "" ? null : decodeURIComponent(password),
    };
  } catch {
    return null;
  }
}

/** Topic filters with commas between them, each once, or null if one is not as the standard wants it. */
export function readTopicFilters(text: string): readonly string[] | null {
  const filters = text.split(",").map((filter) => filter.trim());
  return filters.every(isTopicFilter) ? [...new Set(filters)] : null;
}

/** `+` stands for one level, `#` for all that follow; `$share/NAME/` before it shares the messages among all of that name. */
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
