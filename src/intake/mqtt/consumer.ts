import type { Observe } from "../../observe/observation.ts";
import type { Database } from "../../store/database.ts";
import type { FrameQueue } from "../queue.ts";
import { openLink } from "./broker-link.ts";
import { readBrokerMessage } from "./broker-message.ts";
import type { BrokerSettings } from "./broker-settings.ts";
import { type Delivery, Inbox } from "./inbox.ts";
import { RefusalNotes } from "./refusal-notes.ts";
import { type StoredMessages, storeMessages } from "./store-messages.ts";

/** Between one try and the next: twice as long each time. */
const firstPauseMs = 250;
const longestPauseMs = 30_000;
/** A connection that lasts less counts as a failure: two servers with one client id would throw each other out for ever. */
const lastingMs = 30_000;
/** As long as requests under way are waited for. */
const drainMs = 10_000;

export interface BrokerConsumerOptions {
  readonly settings: BrokerSettings;
  readonly database: Database;
  readonly writer: FrameQueue;
  readonly observe: Observe;
}

export interface BrokerConsumer {
  /** Stores and acknowledges what has arrived, then leaves the broker. */
  close(): Promise<void>;
}

/**
 * Takes frames from a broker for as long as the server runs. A broker that is away is tried again and again; the server
 * does not wait for it. A message is acknowledged when its frames are on disk, or refused for good. If the store fails, it
 * stays unacknowledged and is tried again here, or by whoever gets it from the broker next.
 */
export function consumeFromBroker(options: BrokerConsumerOptions): BrokerConsumer {
  const { settings, observe } = options;
  const broker = `${settings.address.protocol}://${settings.address.host}:${settings.address.port}`;
  const notes = new RefusalNotes(observe);
  const stopping = new AbortController();

  const connectAgainAndAgain = async () => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const began = Date.now();
      const cause = await throughOneLink();
      if (stopping.signal.aborted) return;
      failures = Date.now() - began < lastingMs ? failures + 1 : 0;
      const retryMs = pauseMs(failures);
      observe({ kind: "broker_lost", broker, reason: told(cause), retryMs });
      await pause(retryMs, stopping.signal);
    }
  };

  /** Gives the reason why the connection ended. */
  const throughOneLink = async (): Promise<Error> => {
    const inbox = new Inbox();
    const link = openLink(settings, inbox, {
      onSubscribed: (refused) => {
        observe({ kind: "broker_connected", broker, clientId: settings.clientId, topics: settings.topics.join(",") });
        if (refused.length > 0) observe({ kind: "broker_topics_refused", broker, topics: refused.join(",") });
      },
    });
    const lost = new AbortController();
    const emptied = emptyInbox(options, inbox, notes, AbortSignal.any([lost.signal, stopping.signal]));
    const onStop = async () => {
      inbox.drain();
      await Promise.race([emptied, pause(drainMs, lost.signal)]);
      await link.leave();
    };
    stopping.signal.addEventListener("abort", onStop, { once: true });
    const cause = await link.ended;
    stopping.signal.removeEventListener("abort", onStop);
    inbox.close();
    lost.abort();
    await emptied;
    return cause;
  };

  const running = connectAgainAndAgain();
  return {
    async close() {
      stopping.abort();
      await running;
      notes.tell(Date.now());
    },
  };
}

/** Stores what comes in. Messages that arrive while others are being stored are stored together, after them. */
async function emptyInbox(
  options: BrokerConsumerOptions,
  inbox: Inbox,
  notes: RefusalNotes,
  giveUp: AbortSignal,
): Promise<void> {
  for (;;) {
    const deliveries = await inbox.take();
    if (deliveries === null) return;
    const stored = await storeInTheEnd(options, deliveries, giveUp);
    if (stored === null) return;
    // In the order of their arrival, as the standard wants it.
    for (const { acknowledge } of deliveries) acknowledge();
    inbox.release(deliveries);
    const { refusals, refusedUnseen } = stored;
    if (refusedUnseen > 0)
      options.observe({ kind: "frames_stored", accepted: 0, duplicate: 0, refused: refusedUnseen });
    notes.note(refusals, Date.now());
  }
}

/** Tries until it is done. Null if it was given up: then the broker still has the messages. */
async function storeInTheEnd(
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

/** Some errors of the network have a code and no words. */
function told(cause: Error & { readonly code?: unknown }): string {
  return cause.message || String(cause.code ?? cause.name);
}

function pauseMs(failures: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, failures - 1));
}

/** Resolves when the time is over, or at once when it is given up. */
function pause(ms: number, giveUp: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      giveUp.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    giveUp.addEventListener("abort", done);
    if (giveUp.aborted) done();
  });
}
