import { Failure } from "../../domain/errors.ts";
import { trackerProtocols } from "../../domain/tracker-protocols.ts";
import { families } from "../../intake/trackers/families.ts";
import { bytesOf } from "../../intake/trackers/kit/bytes.ts";
import type { TrackerFamily } from "../../intake/trackers/kit/family.ts";
import { MessageStream } from "../../intake/trackers/kit/stream.ts";
import type { CommandCall } from "../common/command.ts";
import { inputFile } from "../common/input-file.ts";
import { countOption, oneOfOption, textOption, wrongOption } from "../common/options.ts";

const defaultWaitS = 10;

export async function replay(call: CommandCall): Promise<void> {
  const protocol = oneOfOption(call, "protocol", trackerProtocols);
  if (protocol === null) throw new Failure("WRONG_CALL", "--protocol is missing");
  const family = families[protocol];
  const waitMs = (countOption(call, "wait", 3_600) ?? defaultWaitS) * 1_000;
  const isUdp = call.options.udp === true;
  if (isUdp && !family.transports.includes("udp")) throw new Failure("WRONG_CALL", `${family.name} has no datagrams`);
  const lines = (await readText(call.arguments[0] ?? "-")).split(/\r?\n/);
  const messages = lines.flatMap((line, index) => messagesOf(line, index + 1, family));
  if (messages.length === 0) throw new Failure("WRONG_CALL", "the file has no messages");
  const line = await openLine(addressOf(call, family), isUdp);
  try {
    const unanswered = await sendAll(call, family, line, messages, { isUdp, waitMs });
    if (unanswered > 0) throw new Failure("REFUSED", `${unanswered} of ${messages.length} messages had no reply`);
  } finally {
    line.close();
  }
}

/** How many were owed a reply that did not come. */
async function sendAll(
  { options, terminal }: CommandCall,
  family: TrackerFamily,
  line: LineToServer,
  messages: readonly Uint8Array[],
  { isUdp, waitMs }: { readonly isUdp: boolean; readonly waitMs: number },
): Promise<number> {
  let session = family.begin(isUdp ? "udp" : "tcp");
  let unanswered = 0;
  for (const [index, message] of messages.entries()) {
    // The server decodes it in the same way, so this says whether it will answer.
    const decoded = family.decode(message, session, Date.now());
    ({ session } = decoded);
    const reply = await line.exchange(message, decoded.reply === null ? 0 : waitMs);
    const isMissing = decoded.reply !== null && reply === null;
    if (isMissing) unanswered++;
    const shown = { message: index + 1, bytes: message.toHex(), what: decoded.what, reply: reply?.toHex() ?? null };
    if (options.json) terminal.out(JSON.stringify({ ...shown, reply_missing: isMissing }));
    else {
      const answer = reply !== null ? `→ ${reply.toHex()}` : isMissing ? "→ no reply" : "(no reply needed)";
      terminal.out(`${index + 1}  ${decoded.what}  ${shown.bytes}  ${answer}`);
    }
    if (line.isClosed) {
      const left = messages.length - index - 1;
      terminal.note(`the server closed the connection${left > 0 ? `; ${left} messages were not sent` : ""}`);
      return unanswered + left;
    }
  }
  return unanswered;
}

function addressOf(call: CommandCall, { port }: TrackerFamily): { readonly hostname: string; readonly port: number } {
  const text = textOption(call, "to");
  if (text === null) return { hostname: "127.0.0.1", port };
  const match = /^(.+):(\d{1,5})$/.exec(text);
  const chosen = Number(match?.[2]);
  if (match === null || chosen < 1 || chosen > 65_535) throw wrongOption("to", "HOST:PORT", text);
  return { hostname: (match[1] ?? "").replace(/^\[|\]$/g, ""), port: chosen };
}

/** Those of a line; mostly one. */
function messagesOf(line: string, number: number, family: TrackerFamily): readonly Uint8Array[] {
  const text = line.trim();
  if (text === "" || text.startsWith("#")) return [];
  const hex = text.replaceAll(/\s+/g, "");
  const bytes = /^(?:[0-9a-f]{2})+$/i.test(hex) ? Uint8Array.fromHex(hex) : bytesOf(text);
  const stream = new MessageStream(family);
  // A line of the file has lost the end that the message had.
  const messages = [...stream.pushDatagram(bytes)];
  if (messages.length > 0 && stream.heldBytes === 0 && stream.noiseBytes === 0) return messages;
  throw new Failure("WRONG_CALL", `line ${number} is no whole message of ${family.name}`);
}

async function readText(path: string): Promise<string> {
  const pieces = await Array.fromAsync((await inputFile(path)).read());
  return Buffer.concat(pieces).toString("latin1");
}

/** A line from a tracker to a server. */
interface LineToServer {
  readonly isClosed: boolean;
  /** Sends a message, and waits for what comes back; null: nothing did in this time. */
  exchange(message: Uint8Array, waitMs: number): Promise<Uint8Array | null>;
  close(): void;
}

interface Address {
  readonly hostname: string;
  readonly port: number;
}

async function openLine({ hostname, port }: Address, isUdp: boolean): Promise<LineToServer> {
  let waiting: PromiseWithResolvers<Uint8Array | null> | null = null;
  let isClosed = false;
  const take = (bytes: Uint8Array) => waiting?.resolve(bytes.slice());
  const end = () => {
    isClosed = true;
    waiting?.resolve(null);
  };
  const exchange = async (send: (bytes: Uint8Array) => unknown, message: Uint8Array, waitMs: number) => {
    waiting = Promise.withResolvers();
    send(message);
    const timer = setTimeout(() => waiting?.resolve(null), waitMs);
    const reply = await waiting.promise;
    clearTimeout(timer);
    return reply;
  };
  if (isUdp) {
    const socket = await Bun.udpSocket({
      connect: { hostname, port },
      socket: { data: (_, bytes) => take(bytes), error: () => waiting?.resolve(null) },
    });
    return {
      isClosed: false,
      exchange: (message, waitMs) => exchange((bytes) => socket.send(bytes), message, waitMs),
      close: () => socket.close(),
    };
  }
  const socket = await Bun.connect({
    hostname,
    port,
    socket: { data: (_, bytes) => take(bytes), close: end, error: end },
  }).catch((cause) => {
    throw new Failure("UNAVAILABLE", `${hostname}:${port} does not answer`, { cause });
  });
  return {
    get isClosed() {
      return isClosed;
    },
    exchange: (message, waitMs) => exchange((bytes) => socket.write(bytes), message, waitMs),
    close: () => socket.end(),
  };
}
