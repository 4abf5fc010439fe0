import { expect } from "bun:test";
import type { Nodes } from "./nodes.ts";
import { password } from "./world.ts";

/** A user of the portal, on any node. */
export class PortalUser {
  readonly #nodes: Nodes;
  readonly #cookie: string;

  private constructor(nodes: Nodes, cookie: string) {
    this.#nodes = nodes;
    this.#cookie = cookie;
  }

  static async signIn(nodes: Nodes, email: string): Promise<PortalUser> {
    const body = JSON.stringify({ email, password });
    const init = { method: "POST", headers: { "X-Odograph-Portal": "1" }, body };
    const { status, headers } = await nodes.askUntilAnswered("/portal/api/session", init);
    expect([email, status]).toEqual([email, 200]);
    const cookies = headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
    return new PortalUser(nodes, cookies.join("; "));
  }

  /** Until it is answered: a node that was killed may have done it or not. */
  async send(method: string, path: string, body: unknown): Promise<number> {
    const headers = { "X-Odograph-Portal": "1", Cookie: this.#cookie };
    const init = { method, headers, body: JSON.stringify(body) };
    return (await this.#nodes.askUntilAnswered(`/portal/api${path}`, init)).status;
  }
}
