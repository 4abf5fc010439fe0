import type { Database } from "../../store/database.ts";
import { directoryByImei } from "../../store/device-writes.ts";
import type { IncomingFrame } from "../incoming-frame.ts";
import type { MessagePart } from "../messages.ts";
import type { FrameQueue } from "../queue.ts";

/** A message of a broker, read. */
export interface BrokerMessage {
  readonly topic: string;
  readonly parts: readonly MessagePart[];
}

/** A frame that is not stored and never will be. */
export interface Refusal {
  readonly topic: string;
  /** Null: it was not even read. */
  readonly imei: string | null;
  readonly reason: string;
}

/** What was refused, and how many of it the frame writer does not know of. */
export interface StoredMessages {
  readonly refusals: readonly Refusal[];
  readonly refusedUnseen: number;
}

interface Sent {
  readonly topic: string;
  readonly frame: IncomingFrame;
}

/**
 * Stores the frames of messages, each with the account that its device belongs to: a broker speaks for all accounts. When
 * it resolves, what is not refused is on disk; when it rejects, some may be, and all can be stored again.
 */
export async function storeMessages(
  database: Database,
  writer: FrameQueue,
  messages: readonly BrokerMessage[],
): Promise<StoredMessages> {
  const { sent, refusals } = sortOut(messages);
  const accounts = await accountsOf(database, sent);
  const byAccount = new Map<number, Sent[]>();
  for (const { topic, frame } of sent) {
    const account = accounts.get(frame.imei);
    const ofAccount = account === undefined ? undefined : byAccount.get(account);
    if (account === undefined) refusals.push({ topic, imei: frame.imei, reason: "unknown_device" });
    else if (ofAccount) ofAccount.push({ topic, frame });
    else byAccount.set(account, [{ topic, frame }]);
  }
  const refusedUnseen = refusals.length;
  // All are waited for, also when one fails: none may still be under way when they are tried again.
  const outcomes = await Promise.allSettled(
    [...byAccount].map(([account, ofAccount]) => submit(writer, account, ofAccount)),
  );
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") throw outcome.reason;
    refusals.push(...outcome.value);
  }
  return { refusals, refusedUnseen };
}

function sortOut(messages: readonly BrokerMessage[]): { readonly sent: Sent[]; readonly refusals: Refusal[] } {
  const sent: Sent[] = [];
  const refusals: Refusal[] = [];
  for (const { topic, parts } of messages) {
    for (const part of parts) {
      if (typeof part === "string") refusals.push({ topic, imei: null, reason: part });
      else if (part !== null) sent.push({ topic, frame: part });
    }
  }
  return { sent, refusals };
}

async function accountsOf(database: Database, sent: readonly Sent[]): Promise<ReadonlyMap<string, number>> {
  if (sent.length === 0) return new Map();
  const entries = await directoryByImei(database, new Set(sent.map(({ frame }) => frame.imei)));
  return new Map(entries.map(({ imei, account_id }) => [imei, account_id]));
}

async function submit(writer: FrameQueue, account: number, sent: readonly Sent[]): Promise<readonly Refusal[]> {
  const receipts = await writer.submit(
    account,
    sent.map(({ frame }) => frame),
  );
  return receipts.flatMap((receipt, index) => {
    const { topic, frame } = sent[index] as Sent;
    return typeof receipt === "string" ? [] : [{ topic, imei: frame.imei, reason: receipt.refused }];
  });
}
