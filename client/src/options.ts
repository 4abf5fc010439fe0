export interface ClientOptions {
  /** Where the API is, with its version: `https://fleet.example/v1`. */
  readonly url: string;
  /** The API key. Keep it on a server: anyone who has it can read the fleet. */
  readonly key: string;
  /** How often a call is tried again that the server could not answer, or not yet. Default: 4. */
  readonly retries?: number | undefined;
  /** A call that would have to wait longer fails at once, as when the day's requests are used up. Default: 60. */
  readonly longestWaitS?: number | undefined;
  /** How long one try may take. Default: 60. */
  readonly timeoutS?: number | undefined;
  /** In the place of the global one, e.g. with a proxy. */
  readonly fetch?: Fetch | undefined;
  /** Gets each warning once, such as of a parameter that the server has ignored. Default: `console.warn`. */
  readonly warn?: ((message: string) => void) | undefined;
}

export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

const names: Readonly<Record<keyof ClientOptions, true>> = {
  url: true,
  key: true,
  retries: true,
  longestWaitS: true,
  timeoutS: true,
  fetch: true,
  warn: true,
};

/** What other clients call the same. */
const meant: Readonly<Record<string, keyof ClientOptions>> = {
  baseurl: "url",
  base: "url",
  endpoint: "url",
  host: "url",
  apikey: "key",
  token: "key",
  timeout: "timeoutS",
  maxretries: "retries",
};

/** The options, or what is wrong with them: a wrong name would else be an error about something else. */
export function checkedOptions(options: ClientOptions): ClientOptions {
  for (const name of Object.keys(options ?? {})) {
    if (Object.hasOwn(names, name)) continue;
    const plain = name.toLowerCase().replace(/[^a-z]/g, "");
    const other = Object.keys(names).find((known) => known.toLowerCase() === plain) ?? meant[plain];
    const hint = other === undefined ? `there are ${Object.keys(names).join(", ")}` : `it is called \`${other}\``;
    throw new TypeError(`OdographClient has no option \`${name}\`: ${hint}`);
  }
  if (!URL.canParse(options?.url)) {
    throw new TypeError("url: expected where the API is, with its version, as in https://fleet.example/v1");
  }
  if (typeof options.key !== "string") throw new TypeError("key: expected an API key");
  return options;
}
