/** One setting. Its value comes from the flag, else from the environment, else from the default. */
export interface Setting extends Omit<SettingDefinition, "defaultText"> {
  readonly flag: string | null;
  readonly environment: string;
  readonly defaultText: string | null;
}

/** What the table says of a setting; the rest follows from its name: `ingestUrl` is `--ingest-url` and `ODOGRAPH_INGEST_URL`. */
export interface SettingDefinition {
  /** A variable that other programs know. It has no flag. */
  readonly environment?: string;
  readonly hasNoFlag?: true;
  readonly placeholder: string;
  readonly help: string;
  readonly defaultText?: string;
  /** Returns the value, or null if the text is not what `expected` says. */
  readonly read: (text: string) => unknown;
  readonly expected: string;
  /** For a text that may hold a secret: what may be shown of it. */
  readonly shown?: (text: string) => string;
}

export function named(name: string, definition: SettingDefinition): Setting {
  const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const environment = `ODOGRAPH_${flag.replaceAll("-", "_").toUpperCase()}`;
  const isStandard = definition.environment !== undefined;
  return { environment, defaultText: null, ...definition, flag: isStandard || definition.hasNoFlag ? null : flag };
}

export function readHttpUrl(text: string): string | null {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}

/**
 * An address without what it may be used with: the password, and for web addresses everything that may be a key, which is a
 * name without a password, the query and the fragment, whatever is in them. Works on malformed addresses, too.
 */
export function maskedAddress(text: string): string {
  const masked = text.replace(/(:\/\/[^:]*:).*@/s, "$1***@").replace(/([?&]\w*password=)[^&#]*/gi, "$1***");
  if (!/^https?:/i.test(text)) return masked;
  return masked
    .replace(/(:\/\/)[^/?#:@]*@/, "$1***@")
    .replace(/\?[^#]+/, "?***")
    .replace(/#.+/s, "#***");
}
