import type { Call, List, One, Streamed } from "./envelopes.ts";
import type { SessionAnswer } from "./session.ts";

/** A made-up fleet to look at: what would have been mailed of it, and one beside the owner's own account. */
export interface DemoRoutes {
  "GET /kept-mails": Call<List<KeptMailRecord>>;
  /** As a mailbox shows it. */
  "GET /kept-mails/{mail_id}/page": Call<Streamed>;
  "GET /demo-account": Call<One<DemoAccountRecord>>;
  /** Has one made. */
  "POST /demo-account": Call<One<DemoAccountRecord>>;
  /** Has it erased. */
  "DELETE /demo-account": Call<One<DemoAccountRecord>>;
  /** The person signs in there, and comes back by the other. */
  "POST /demo-account/enter": Call<SessionAnswer>;
  "POST /demo-account/leave": Call<SessionAnswer>;
}

/** A mail that would have been sent. */
export interface KeptMailRecord {
  readonly mail_id: string;
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly text: string;
  /** Names of its files. */
  readonly attachments: readonly string[];
  readonly kept_at: string;
}

export interface DemoAccountRecord {
  /** `ready`: it can be looked at, though its older days may still be in the making. */
  readonly state: "none" | "making" | "ready" | "ending";
  /** False: the server has other accounts, or makes none. */
  readonly is_offered: boolean;
}
