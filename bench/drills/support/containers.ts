/** A container engine, by its own command: docker or podman, which take the same words. */
export class Engine {
  readonly command: string;
  readonly #made: (readonly string[])[] = [];

  constructor(command: string) {
    this.command = command;
  }

  /** Runs it to its end. Fails if it does, unless that is what is looked for. */
  async run(words: readonly string[], { input = "", mayFail = false } = {}): Promise<{ code: number; text: string }> {
    const child = Bun.spawn([this.command, ...words], {
      stdin: new Blob([input]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, error, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (code !== 0 && !mayFail) throw new Error(`${this.command} ${words.join(" ")} ended with ${code}: ${error}`);
    return { code, text: (out + (mayFail ? error : "")).trim() };
  }

  async volume(name: string): Promise<string> {
    await this.run(["volume", "create", name]);
    this.#made.unshift(["volume", "rm", "--force", name]);
    return name;
  }

  /** Starts a container that stays. Gives the address of a port of its own on this machine. */
  async start(name: string, words: readonly string[]): Promise<(port: number) => Promise<string>> {
    this.#made.unshift(["rm", "--force", "--volumes", name]);
    await this.run(["run", "--detach", "--name", name, ...words]);
    return async (port) => `http://${(await this.run(["port", name, String(port)])).text}`;
  }

  /** Removes what was made. */
  async end(): Promise<void> {
    for (const words of this.#made.splice(0)) await this.run(words, { mayFail: true });
  }
}
