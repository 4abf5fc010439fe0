import type { Observe } from "../../observe/observation.ts";
import { pause } from "../../observe/repeat.ts";
import type { Database } from "../../store/database.ts";
import type { FrameQueue } from "../queue.ts";
import type { UnknownDevices } from "../unknown-devices.ts";
import { openLink } from "./broker-link.ts";
import { readBrokerMessage } from "./broker-message.ts";
import type { BrokerSettings } from "./broker-settings.ts";
import { type Delivery, Inbox } from "./inbox.ts";
import { RefusalReports } from "./refusal-reports.ts";
import { type StoredMessages, storeMessages } from "./store-messages.ts";

/** The pause between two attempts doubles each time. */
const minPauseMs = 250;
const maxPauseMs = 30_000;
/** A shorter connection counts as a failure: two servers with one client id would end each other's connections for ever. */
const minConnectionMs = 30_000;
/** As long as a stopping server waits for its requests. */
const maxDrainMs = 10_000;

export interface BrokerConsumerOptions {
  readonly settings: BrokerSettings;
  readonly database: Database;
  readonly writer: FrameQueue;
  readonly unknownDevices: UnknownDevices;
  readonly now?: () => number;
  readonly observe: Observe;
}

export interface BrokerConsumer {
  /** Stores and acknowledges what has arrived, then disconnects. */
  close(): Promise<void>;
}

/**
 * Receives frames from a broker while the server runs. If the broker is unreachable, it tries again; the server does
 * not wait for it. A message is acknowledged when its frames are on disk, or refused for good. If the store fails, the
 * message is not acknowledged: it is tried again here, or by the server that gets it from the broker next.
 */
export function consumeFromBroker(options: BrokerConsumerOptions): BrokerConsumer {
  const { settings, observe } = options;
  const broker = `${settings.address.protocol}://${settings.address.host}:${settings.address.port}`;
  const reports = new RefusalReports(observe);
  const stopping = new AbortController();

  const stayConnected = async () => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const began = Date.now();
      const cause = await runOneConnection();
      if (stopping.signal.aborted) return;
      failures = Date.now() - began < minConnectionMs ? failures + 1 : 0;
      const retryMs = pauseMs(failures);
      observe({ kind: "broker_lost", broker, reason: reasonOf(cause), retryMs });
      await pause(retryMs, stopping.signal);
    }
  };

  /** Resolves to the reason why the connection ended. */
  const runOneConnection = async (): Promise<Error> => {
    const inbox = new Inbox();
    const link = openLink(settings, inbox, {
      now: options.now ?? (() => Date.now()),
      onSubscribed: (refused) => {
        observe({ kind: "broker_connected", broker, clientId: settings.clientId, topics: settings.topics.join(",") });
        if (refused.length > 0) observe({ kind: "broker_topics_refused", broker, topics: refused.join(",") });
      },
    });
    const lost = new AbortController();
    const emptied = emptyInbox(options, inbox, reports, AbortSignal.any([lost.signal, stopping.signal]));
    const onStop = async () => {
      inbox.drain();
      await Promise.race([emptied, pause(maxDrainMs, lost.signal)]);
      await link.disconnect();
    };
    stopping.signal.addEventListener("abort", onStop, { once: true });
    const cause = await link.ended;
    stopping.signal.removeEventListener("abort", onStop);
    inbox.close();
    lost.abort();
    await emptied;
    return cause;
  };

  const running = stayConnected();
  return {
    async close() {
      stopping.abort();
      await running;
      reports.report(Date.now());
    },
  };
}

/** Stores messages as they arrive. Those that arrive while others are being stored are then stored together. */
async function emptyInbox(
  options: BrokerConsumerOptions,
  inbox: Inbox,
  reports: RefusalReports,
  giveUp: AbortSignal,
): Promise<void> {
  for (;;) {
    const deliveries = await inbox.take();
    if (deliveries === null) return;
    const stored = await storeWithRetries(options, deliveries, giveUp);
    if (stored === null) return;
    // In the order of their arrival, as the standard requires.
    for (const { acknowledge } of deliveries) acknowledge();
    inbox.release(deliveries);
    const { refusals, refusedBeforeWriting } = stored;
    if (refusedBeforeWriting > 0)
      options.observe({ kind: "frames_stored", accepted: 0, duplicate: 0, refused: refusedBeforeWriting });
    const now = Date.now();
    reports.add(refusals, now);
    // A broker's message has no account of its own.
    for (const { imei, reason } of refusals) options.unknownDevices.noteRefusal(null, imei, reason, now);
  }
}

/** Tries until the messages are stored. Null if `giveUp` was aborted: the broker still has them then. */
async function storeWithRetries(
  { database, writer, observe }: BrokerConsumerOptions,
  deliveries: readonly Delivery[],
  giveUp: AbortSignal,
): Promise<StoredMessages | null> {
  const messages = deliveries.map(({ topic, payload, receivedAt }) => ({
    topic,
    parts: readBrokerMessage(topic, payload, receivedAt),
  }));
  for (let failures = 1; ; failures++) {
    try {
      return await storeMessages(database, writer, messages);
    } catch (cause) {
      const retryMs = pauseMs(failures);
      observe({ kind: "broker_messages_not_stored", messages: messages.length, retryMs, cause });
      await pause(retryMs, giveUp);
      if (giveUp.aborted) return null;
    }
  }
}

/** Some network errors have a code and no message. */
function reasonOf(cause: Error & { readonly code?: unknown }): string {
  return cause.message || String(cause.code ?? cause.name);
}

function pauseMs(failures: number): number {
  return Math.min(maxPauseMs, minPauseMs * 2 ** Math.max(0, failures - 1));
}
