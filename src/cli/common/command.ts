import type { ServerSetting, Settings } from "../settings/settings.ts";

/** An option of a command that is not a setting. */
export interface Option {
  readonly name: string;
  /** Absent: the option is a switch. */
  readonly placeholder?: string;
  readonly help: string;
  readonly required?: boolean;
}

export const jsonOption: Option = { name: "json", help: "print an object for scripts" };

export interface Action {
  /** The word after the command's name, e.g. `create`. Null: there is none. */
  readonly name: string | null;
  /** Names of the positional arguments, each required. */
  readonly arguments: readonly string[];
  readonly summary: string;
  readonly options: readonly Option[];
  /** Settings that it takes as flags, besides those of the store. */
  readonly settings: readonly ServerSetting[];
  /** Of `--data`, if not that of the setting; the environment does not apply then. */
  readonly dataDefault?: string;
  readonly run: (call: CommandCall) => Promise<void>;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** A few sentences for `odograph help NAME`. */
  readonly details: string;
  readonly actions: readonly Action[];
}

type Defaults = "name" | "arguments" | "options" | "settings";
type DeclaredAction = Omit<Action, Defaults> & Partial<Pick<Action, Defaults>>;
type CommandText = Omit<Command, "actions">;

/** A command with actions, or one that is its only action. What an action does not mention, it does not take. */
export function command(
  declared: CommandText & ({ readonly actions: readonly DeclaredAction[] } | Omit<DeclaredAction, "name" | "summary">),
): Command {
  const nothing = { name: null, arguments: [], options: [], settings: [] };
  const { name, summary, details, ...rest } = declared;
  const actions = "actions" in rest ? rest.actions : [{ ...rest, summary }];
  return { name, summary, details, actions: actions.map((action) => ({ ...nothing, ...action })) };
}

/** One call of the program, read and checked. */
export interface CommandCall {
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Read on demand: `odograph help` must work with a wrong environment. */
  readonly settings: () => Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
}

/** The two output streams. What a script would read goes to `out`, everything else to `note`. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly note: (text: string) => void;
  readonly progress: (step: string, done: number, total: number) => void;
}
