import { afterEach } from "bun:test";
import { formatInstant } from "../../src/domain/time/time.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { startBroker, type TestBroker } from "./broker.ts";

export type BrokerOptions = Parameters<typeof startBroker>[0];

/** Brokers that stop after each test. Call it once in a file. */
export function brokersOfTests() {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  /** Done after the test, the last first. */
  const atEnd = (end: () => Promise<unknown>) => void ends.push(end);
  const brokerOfTest = async (options: BrokerOptions = {}): Promise<TestBroker> => {
    const started = await startBroker(options);
    atEnd(() => started.stop());
    return started;
  };
  return { atEnd, brokerOfTest };
}

export function frameMessage({ recordedAt, receivedAt, ...rest }: IncomingFrame) {
  return { ...rest, recorded_at: formatInstant(recordedAt ?? 0), received_at: formatInstant(receivedAt) };
}

/** Each in a message of its own. */
export async function sendFrames(mqtt: TestBroker, frames: readonly IncomingFrame[]): Promise<void> {
  for (const frame of frames) await mqtt.publish("odograph/gateway/frames", frameMessage(frame));
}
