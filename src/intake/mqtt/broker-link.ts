import { connect, type MqttClient } from "mqtt";
import type { BrokerSettings } from "./broker-settings.ts";
import type { Inbox } from "./inbox.ts";

/** How long to wait for the broker when connecting and when disconnecting. */
const connectTimeoutMs = 10_000;
const disconnectTimeoutMs = 2_000;
const keepaliveSeconds = 60;

/** A broker answers a subscription with a code; this and all above mean that it refuses the filter. */
const firstRefusalCode = 0x80;

export interface LinkEvents {
  readonly now: () => number;
  /** The subscription is answered; `refused` are the filters that the broker refuses. */
  readonly onSubscribed: (refused: readonly string[]) => void;
}

export interface BrokerLink {
  readonly ended: Promise<Error>;
  /** Sends the broker a DISCONNECT and ends the connection. */
  disconnect(): Promise<void>;
}

/**
 * Connects, subscribes with QoS 1 and puts messages into the inbox. The session is persistent: the broker holds what is not
 * acknowledged when the connection ends, and what is published before the next one.
 *
 * Each connection has a client of its own. An acknowledgement is sent on the connection of its message or not at all. The
 * client library would send it on the next connection, where its number may mean another message.
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
    // With an error the client sends no acknowledgement and reads on. We send it when the message is stored.
    const resume = () => callback(new Error("acknowledged later"));
    inbox.put({ topic, payload: payload as Buffer, receivedAt: events.now(), acknowledge }, resume);
  };
  return {
    ended: ended.promise,
    async disconnect() {
      if (client.connected) await atMost(disconnectTimeoutMs, client.endAsync());
      finish(new Error("disconnected"));
    },
  };
}

/** Resolves to the filters that the broker refused. */
function subscribe(client: MqttClient, topics: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    client.subscribe([...topics], { qos: 1 }, (error, _, answer) => {
      // The client reports one refused filter as an error of all; only the answer has the code of each.
      if (answer === undefined) reject(error ?? new Error("the broker did not answer the subscription"));
      else resolve(topics.filter((_, index) => (answer.granted[index] as number) >= firstRefusalCode));
    });
  });
}

/** The acknowledgement of a message with QoS 1: MQTT 3.1.1, section 3.4. */
function puback(messageId: number): Buffer {
  return Buffer.from([0x40, 0x02, messageId >> 8, messageId & 0xff]);
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work.catch(() => {}), promise]);
  clearTimeout(timer);
}
