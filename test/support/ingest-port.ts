import { createIngestToken } from "../../src/access/ingest-tokens.ts";
import { formatInstant } from "../../src/domain/time/time.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { knownIngestRequests } from "../../src/intake/known-requests.ts";
import { type IngestService, startIngest } from "../../src/intake/service.ts";
import type { Observation } from "../../src/observe/observation.ts";
import type { Database } from "../../src/store/database.ts";
import { smallFleet } from "./fleet.ts";
import { keepObservations } from "./known-requests.ts";

export interface PortAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of which they say what is in them
  readonly body: any;
}

export interface IngestPort {
  readonly service: IngestService;
  readonly observations: Observation[];
  /** A token of the first account. */
  readonly token: string;
  request(path: string, init?: RequestInit, peer?: string): Promise<PortAnswer>;
  /** A JSON body (or one given as text or bytes), with the token. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<PortAnswer>;
  close(): Promise<void>;
}

/** The ingest side in this process, without a socket between. */
export async function openPort(database: Database): Promise<IngestPort> {
  const observations: Observation[] = [];
  const service = startIngest({
    database,
    observe: keepObservations(knownIngestRequests, observations),
    metrics: async () => "odograph_up 1\n",
    retainDays: null,
  });
  const token = await tokenOf(database);
  const request: IngestPort["request"] = async (path, init, peer = "127.0.0.1") => {
    const response = await service.answer(new Request(`http://ingest.test${path}`, init), () => peer);
    const text = await response.text();
    // To the letter: what else it may be is the text of the metrics.
    const isJson = response.headers.get("Content-Type") === "application/json";
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  return {
    service,
    observations,
    token,
    request,
    post: (path, body, headers = {}) =>
      request(path, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, ...headers },
        body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    close: () => service.close(),
  };
}

export async function tokenOf(database: Database, accountId: string = smallFleet.acme.id): Promise<string> {
  return (await createIngestToken(database, { accountId, name: "test" }, Date.now())).secret;
}

/** A frame as `POST /frames` takes it. */
export function canonical({ imei, recordedAt, receivedAt, ...fields }: IncomingFrame): Record<string, unknown> {
  const recorded_at = recordedAt === null ? null : formatInstant(recordedAt);
  return { imei, recorded_at, received_at: formatInstant(receivedAt), ...fields };
}
