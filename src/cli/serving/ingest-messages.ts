import type { ErrorCode } from "../../domain/errors.ts";
import type { BrokerSettings } from "../../intake/mqtt/broker-settings.ts";
import type { MetricsSnapshot } from "../../observe/metrics.ts";
import type { LogLevel } from "../../observe/observation.ts";
import type { TracingSettings } from "../../observe/traces.ts";
import type { AccountCharges, KeyCharges } from "../../store/access/key-counters.ts";
import type { StoreTarget } from "../../store/open.ts";

/** What the ingest side needs to know. */
export interface IngestSettings {
  readonly store: StoreTarget;
  readonly hostname: string;
  readonly port: number;
  readonly retainDays: number | null;
  readonly trustsClock: boolean;
  /** Where backups are noted. */
  readonly dataDirectory: string;
  /** When an embedded store was last used before this start; null: it was not there. */
  readonly lastUsedAt: number | null;
  readonly mqtt: BrokerSettings | null;
  readonly tracing: TracingSettings | null;
  readonly logLevel: LogLevel;
  readonly logFormat: "json" | "human";
}

/** From the server to its ingest thread. */
export type ToIngest =
  | { readonly kind: "start"; readonly settings: IngestSettings }
  | { readonly kind: "metrics"; readonly snapshots: readonly MetricsSnapshot[] }
  /** Counts of the API, to be stored with the next commit. Each is answered by `charges_saved` or `charges_lost`, in order. */
  | { readonly kind: "charges"; readonly keys: readonly KeyCharges[]; readonly accounts: readonly AccountCharges[] }
  /** Frames are still received, but senders and the balancer are asked to go elsewhere. */
  | { readonly kind: "drain" }
  | { readonly kind: "stop" };

/** And back. */
export type FromIngest =
  | { readonly kind: "listening"; readonly url: string }
  | { readonly kind: "failed"; readonly code: ErrorCode | null; readonly message: string }
  | { readonly kind: "log"; readonly line: string }
  /** Asks for the counts of the rest of the node. */
  | { readonly kind: "metrics_wanted" }
  | { readonly kind: "charges_saved" }
  | { readonly kind: "charges_lost"; readonly code: ErrorCode | null; readonly message: string }
  | { readonly kind: "stopped" };
