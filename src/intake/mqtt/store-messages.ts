import type { Database } from "../../store/database.ts";
import { directoryByImei } from "../../store/fleet/device-writes.ts";
import type { IncomingFrame } from "../incoming-frame.ts";
import type { MessagePart } from "../messages.ts";
import type { FrameQueue } from "../queue.ts";

export interface BrokerMessage {
  readonly topic: string;
  readonly parts: readonly MessagePart[];
}

/** A frame that was refused for good. */
export interface RefusedMqttMessage {
  readonly topic: string;
  /** Null if the frame could not be read. */
  readonly imei: string | null;
  readonly reason: string;
}

export interface StoredMessages {
  readonly refusals: readonly RefusedMqttMessage[];
  /** How many of them the frame writer never saw, and so did not count. */
  readonly refusedBeforeWriting: number;
}

interface TopicFrame {
  readonly topic: string;
  readonly frame: IncomingFrame;
}

/** Stores each frame in the account of its device. If it rejects, some are stored, and all can be stored again. */
export async function storeMessages(
  database: Database,
  writer: FrameQueue,
  messages: readonly BrokerMessage[],
): Promise<StoredMessages> {
  const { sent, refusals } = splitParts(messages);
  const accounts = await accountsOf(database, sent);
  const byAccount = Map.groupBy(sent, ({ frame }) => accounts.get(frame.imei));
  for (const { topic, frame } of byAccount.get(undefined) ?? []) {
    refusals.push({ topic, imei: frame.imei, reason: "unknown_device" });
  }
  const refusedBeforeWriting = refusals.length;
  // Waits for all, even if one fails: none may be under way when they are tried again.
  const results = await Promise.allSettled(
    [...byAccount].map(([account, ofAccount]) => (account === undefined ? [] : submit(writer, account, ofAccount))),
  );
  for (const result of results) {
    if (result.status === "rejected") throw result.reason;
    refusals.push(...result.value);
  }
  return { refusals, refusedBeforeWriting };
}

function splitParts(messages: readonly BrokerMessage[]): {
  readonly sent: TopicFrame[];
  readonly refusals: RefusedMqttMessage[];
} {
  const sent: TopicFrame[] = [];
  const refusals: RefusedMqttMessage[] = [];
  for (const { topic, parts } of messages) {
    for (const part of parts) {
      if (typeof part === "string") refusals.push({ topic, imei: null, reason: part });
      else if (part !== null) sent.push({ topic, frame: part });
    }
  }
  return { sent, refusals };
}

async function accountsOf(database: Database, sent: readonly TopicFrame[]): Promise<ReadonlyMap<string, number>> {
  if (sent.length === 0) return new Map();
  const entries = await directoryByImei(database, new Set(sent.map(({ frame }) => frame.imei)));
  return new Map(entries.map(({ imei, account_id }) => [imei, account_id]));
}

async function submit(
  writer: FrameQueue,
  account: number,
  sent: readonly TopicFrame[],
): Promise<readonly RefusedMqttMessage[]> {
  const outcomes = await writer.submit(
    account,
    sent.map(({ frame }) => frame),
  );
  return outcomes.flatMap((outcome, index) => {
    const { topic, frame } = sent[index] as TopicFrame;
    return typeof outcome === "string" ? [] : [{ topic, imei: frame.imei, reason: outcome.refused }];
  });
}
