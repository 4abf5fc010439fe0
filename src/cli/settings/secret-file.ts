import { readFileSync, writeFileSync } from "node:fs";
import { Failure } from "../../domain/errors.ts";

/** A secret is a line. A file that is longer is probably another one. */
const maxLength = 4096;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A secret from the environment, or from the file that the variable with `_FILE` names. Never from an argument: every user
 * of the machine can read those.
 */
export function readSecret(environment: Environment, variable: string): string | null {
  const [direct, path] = [environment[variable] || null, environment[`${variable}_FILE`] || null];
  if (path === null) return direct;
  if (direct !== null) {
    throw new Failure("WRONG_SETTING", `${variable} and ${variable}_FILE are both set; set one of them`);
  }
  const text = contentOf(path, `${variable}_FILE`).replace(/\r?\n$/, "");
  if (text === "" || text.length > maxLength || /[\r\n]/.test(text)) {
    throw new Failure("WRONG_SETTING", `${variable}_FILE: expected a file with one line, the secret`);
  }
  return text;
}

function contentOf(path: string, variable: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Failure("WRONG_SETTING", `${variable}: the file cannot be read`, { cause });
  }
}

/** Writes a secret to a new file that only its owner can read. An existing file may be read by others, so it is refused. */
export function writeSecretFile(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === "EEXIST";
    const problem = isThere ? "exists already; name a new file" : "cannot be written";
    throw new Failure("FILE_UNREADABLE", `${path} ${problem}`, { cause });
  }
}
