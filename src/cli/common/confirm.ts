import { createInterface } from "node:readline/promises";
import { Failure } from "../../domain/errors.ts";
import type { Call } from "./command.ts";

/** Asks once before something that cannot be undone. A script says `--yes`. */
export async function confirm({ options, terminal }: Call, question: string): Promise<void> {
  if (options.yes === true) return;
  if (!process.stdin.isTTY) throw new Failure("WRONG_CALL", "this cannot be undone: a script must say --yes");
  terminal.note(question);
  const input = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await input.question("Type yes to go on: ");
    if (answer.trim().toLowerCase() !== "yes") throw new Failure("REFUSED", "nothing was erased");
  } finally {
    input.close();
  }
}
