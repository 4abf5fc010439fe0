import { connect, type MqttClient } from "mqtt";
import type { BrokerSettings } from "./broker-settings.ts";
import type { Inbox } from "./inbox.ts";

/** For the broker's answer, and for ours when we take our leave. */
const connectTimeoutMs = 10_000;
const farewellMs = 2_000;
const keepaliveSeconds = 60;

/** What a broker answers to a filter that it does not let us listen to. */
const notGranted = 0x80;

export interface LinkEvents {
  /** We are heard, and told which filters the broker has refused. */
  readonly onSubscribed: (refused: readonly string[]) => void;
}

/** One connection to a broker, from its beginning to its end. */
export interface BrokerLink {
  /** Why it ended. */
  readonly ended: Promise<Error>;
  /** Says goodbye to the broker and ends it. */
  leave(): Promise<void>;
}

/**
 * Connects, subscribes with QoS 1 and puts what comes into the inbox. The session is a lasting one: what is not acknowledged
 * when the connection ends, and what is published until the next one, the broker keeps for us.
 *
 * Each connection gets a client of its own, and an acknowledgement goes out by the connection that its message came by, or
 * not at all. The client itself would send it later by the next one, where its number may stand for another message.
 */
export function openLink({ address, topics, clientId }: BrokerSettings, inbox: Inbox, events: LinkEvents): BrokerLink {
  const client = connect({
    protocol: address.protocol,
    host: address.host,
    port: address.port,
    ...(address.username === null ? {} : { username: address.username }),
    ...(address.password === null ? {} : { password: address.password }),
    protocolVersion: 4,
    clientId,
    clean: false,
    reconnectPeriod: 0,
    connectTimeout: connectTimeoutMs,
    keepalive: keepaliveSeconds,
    timerVariant: "native",
  });
  const ended = Promise.withResolvers<Error>();
  const finish = (error: Error) => {
    ended.resolve(error);
    client.end(true);
  };
  client.on("error", finish);
  client.on("close", () => finish(new Error("the connection was closed")));
  client.on("connect", () => {
    subscribe(client, topics).then((refused) => {
      if (refused.length === topics.length) finish(new Error("the broker refuses all subscriptions"));
      else events.onSubscribed(refused);
    }, finish);
  });
  client.handleMessage = ({ topic, payload, qos, messageId }, callback) => {
    const { stream } = client;
    const acknowledge = () => {
      if (qos === 1 && messageId !== undefined && stream.writable) stream.write(puback(messageId));
    };
    // With an error the client sends no acknowledgement, and goes on: we send it when the message is stored.
    const readOn = () => callback(new Error("acknowledged later"));
    inbox.put({ topic, payload: payload as Buffer, receivedAt: Date.now(), acknowledge }, readOn);
  };
  return {
    ended: ended.promise,
    async leave() {
      if (client.connected) await withinTime(farewellMs, client.endAsync());
      finish(new Error("left"));
    },
  };
}

/** Gives the filters that the broker refused. */
function subscribe(client: MqttClient, topics: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    client.subscribe([...topics], { qos: 1 }, (error, _, answer) => {
      // The client reports one refused filter as an error of all; the answer tells them apart.
      if (answer === undefined) reject(error ?? new Error("the broker did not answer the subscription"));
      else resolve(topics.filter((_, index) => (answer.granted[index] as number) >= notGranted));
    });
  });
}

/** The acknowledgement of a message with QoS 1: MQTT 3.1.1, section 3.4. */
function puback(messageId: number): Buffer {
  return Buffer.from([0x40, 0x02, messageId >> 8, messageId & 0xff]);
}

async function withinTime(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work.catch(() => {}), promise]);
  clearTimeout(timer);
}
