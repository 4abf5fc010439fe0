import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { until } from "./patience.ts";

export interface ReceivedMail {
  readonly to: readonly string[];
  /** As it came, with decoded quoted-printable. */
  readonly text: string;
  readonly isEncrypted: boolean;
  readonly user: string | null;
}

interface MailServerOptions {
  /** Without it, anybody may send. */
  readonly password?: string;
  /** Addresses that it takes no mail for. */
  readonly refused?: readonly string[];
  /** How it says so; 450: not now. */
  readonly refusal?: () => number;
  /** Addresses at which it falls silent. */
  readonly silentAt?: readonly string[];
  /** Whether it offers no encryption. */
  readonly isPlain?: boolean;
  /** Between having a mail and saying so. */
  readonly beforeAnswer?: () => Promise<void>;
}

export interface MailServer {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  /** How many conversations have ended, with a mail or without. */
  ended(): number;
  /** Waits for the next one after those that were received when it was called. */
  next(): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** A real SMTP server on this machine. Its certificate is signed by nobody. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let ended = 0;
  const server = new SMTPServer({
    authOptional: options.password === undefined,
    allowInsecureAuth: true,
    hideSTARTTLS: options.isPlain ?? false,
    disabledCommands: options.isPlain ? ["STARTTLS"] : [],
    onAuth({ username, password }, _session, done) {
      if (password === options.password) done(null, { user: username });
      else done(new Error("no"));
    },
    onClose() {
      ended++;
    },
    onRcptTo({ address }, _session, done) {
      if (options.silentAt?.includes(address)) return;
      const isRefused = options.refused?.includes(address) && options.refusal?.() !== 250;
      const refusal = Object.assign(new Error(`${address} is unknown here`), {
        responseCode: options.refusal?.() ?? 550,
      });
      done(isRefused ? refusal : null);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const user = typeof session.user === "string" ? session.user : null;
        received.push({ to, text: decoded(Buffer.concat(chunks)), isEncrypted: session.secure, user });
        (options.beforeAnswer?.() ?? Promise.resolve()).then(() => done());
      });
    },
  });
  // A client that does not trust it hangs up.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    ended: () => ended,
    async next() {
      const before = received.length;
      await until(() => received.length > before);
      return received[before] as ReceivedMail;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function decoded(raw: Buffer): string {
  const bytes = raw
    .toString("latin1")
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
