/** One setting. Its value comes from the flag, else from the environment, else from the default. */
export interface Setting<T> extends SettingDefinition<T> {
  readonly flag: string | null;
  readonly environment: string;
  readonly defaultText: string | null;
}

/** What the table says of a setting; the rest follows from its name: `ingestUrl` is `--ingest-url` and `ODOGRAPH_INGEST_URL`. */
export interface SettingDefinition<T> {
  /** Null for secrets, since every user of the machine can read a program's arguments, and for variables of a standard. */
  readonly flag?: string | null;
  readonly environment?: string;
  readonly placeholder: string;
  readonly help: string;
  readonly defaultText?: string | null;
  /** Returns the value, or null if the text is not what `expected` says. */
  readonly read: (text: string) => T | null;
  readonly expected: string;
  readonly shown?: (text: string) => string;
}

export function named<T>(name: string, definition: SettingDefinition<T>): Setting<T> {
  const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const environment = `ODOGRAPH_${flag.replaceAll("-", "_").toUpperCase()}`;
  return { flag, environment, defaultText: null, ...definition };
}
