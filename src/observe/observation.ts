import type { ErrorCode } from "../domain/errors.ts";

/** The public id of the key, session or token, never the secret itself. Empty for a caller without a valid one. */
export interface Caller {
  readonly keyId?: string;
  readonly userId?: string;
  readonly tokenId?: string;
}

/**
 * Everything worth knowing, as facts. The log and the metrics decide what to show; code that observes does not format
 * text. No field may hold a secret.
 */
export type Observation =
  | { readonly kind: "schema_migrated"; readonly engine: string; readonly applied: number }
  /** What an earlier version stored is converted. Until that is finished, the store is not used. */
  | { readonly kind: "store_conversion_started"; readonly what: string }
  | { readonly kind: "store_conversion_progress"; readonly what: string; readonly done: number; readonly total: number }
  | { readonly kind: "store_conversion_finished"; readonly seconds: number }
  /** The next start goes on. */
  | { readonly kind: "store_conversion_interrupted"; readonly signal: string }
  | { readonly kind: "server_not_listening"; readonly reason: string }
  | { readonly kind: "server_listening"; readonly url: string; readonly ingestUrl: string; readonly engine: string }
  | { readonly kind: "server_draining"; readonly signal: string }
  /** It did not stop in time. `givenUp` names what was still open; the first of it was being waited for. */
  | { readonly kind: "server_cut_off"; readonly givenUp: string; readonly afterMs: number }
  | { readonly kind: "server_stopped" }
  | {
      readonly kind: "request_answered";
      readonly requestId: string;
      readonly keyId?: string | null;
      readonly route: string;
      readonly status: number;
      readonly durationMs: number;
    }
  /** The client disconnected while sending. It is no failure, and there was no answer. */
  | {
      readonly kind: "request_aborted";
      readonly requestId: string;
      readonly route: string;
      readonly durationMs: number;
    }
  /** A download ended before its file did, though nothing failed here: the person or the connection went away, or it stalled. */
  | (Caller & {
      readonly kind: "download_left";
      readonly requestId: string;
      readonly route: string;
      readonly durationMs: number;
    })
  | RefusedRequest
  | RefusedRequests
  | LinesLeftOut
  | (Caller & {
      readonly kind: "request_failed";
      readonly requestId: string;
      readonly route: string;
      readonly cause: unknown;
    })
  | {
      readonly kind: "frames_stored";
      readonly accepted: number;
      readonly duplicate: number;
      readonly refused: number;
    }
  /** The frames of a message, or of several of a broker, are on disk and derived. What came in several transactions is added up. */
  | {
      readonly kind: "submission_stored";
      readonly accepted: number;
      readonly duplicate: number;
      readonly refused: number;
      readonly transactions: number;
      /** For earlier frames of the account, and for the store. */
      readonly waitMs: number;
      readonly deriveMs: number;
      readonly commitMs: number;
      /** For deriving late frames afterwards; null if there were none. */
      readonly lateMs: number | null;
    }
  | {
      readonly kind: "late_frames_refolded";
      readonly device: number;
      readonly frames: number;
      readonly factsSaved: number;
      readonly factsRemoved: number;
    }
  /** Devices that follow earlier rules are derived again in the background. */
  | { readonly kind: "rules_upgrade_started"; readonly rules: number; readonly devices: number }
  | {
      readonly kind: "rules_upgrade_progress";
      /** How many there were in the beginning. */
      readonly devices: number;
      readonly left: number;
      /** Those that this node has derived since the beginning. */
      readonly frames: number;
      readonly seconds: number;
      /** By how long the devices took so far; null before the first. */
      readonly secondsLeft: number | null;
    }
  | {
      readonly kind: "rules_upgrade_finished";
      readonly rules: number;
      readonly devices: number;
      readonly frames: number;
      readonly seconds: number;
    }
  | {
      readonly kind: "device_upgraded";
      readonly device: number;
      readonly frames: number;
      readonly verdictsChanged: number;
      readonly factsSaved: number;
      readonly factsRemoved: number;
    }
  /** This node does the work that one node does for all. Nobody did before, or whoever did has given it back. */
  | { readonly kind: "work_led"; readonly node: string }
  /** The node that did it has not been heard of. */
  | { readonly kind: "work_taken_over"; readonly node: string; readonly from: string }
  /** This node could not say in time that it is there, so another may do that work now. */
  | { readonly kind: "work_lost"; readonly node: string }
  | { readonly kind: "frames_dropped"; readonly count: number; readonly before: string }
  /** A pass of retention ended; it dropped something or not. */
  | { readonly kind: "retention_passed" }
  /** Frames would be dropped that may not be old at all: the clock may be ahead. They were not. */
  | {
      readonly kind: "retention_refused";
      readonly reason: "clock_ahead" | "limit_after_newest_receipt" | "nearly_everything";
      readonly before: string;
      readonly clock: string;
      readonly newestReceipt: string | null;
      /** Of the stored frames, in percent; null: they were not counted. */
      readonly sharePercent: number | null;
      /** How many accounts' frames stay, which would have lost most of theirs; null: all. */
      readonly accounts: number | null;
      readonly advice: string;
    }
  /** The size of the store; what is free beside an embedded one; when it was last backed up, as far as that is known. */
  | {
      readonly kind: "store_measured";
      readonly bytes: number;
      readonly freeBytes: number | null;
      readonly backupAt: number | null;
    }
  /** A statement failed because this worker of a Citus cluster does not answer, or cannot be reached. */
  | { readonly kind: "worker_failed"; readonly worker: string }
  /** Of a list, where a replica is configured. */
  | { readonly kind: "page_read"; readonly from: "primary" | "replica" }
  /** Null: not known any more. */
  | { readonly kind: "replica_measured"; readonly lagBytes: number | null }
  /** Pages are read from it if it is level with the primary. */
  | { readonly kind: "replica_used"; readonly replica: string }
  /** All pages are read from the primary. Reported once until it is used again. */
  | { readonly kind: "replica_left"; readonly replica: string; readonly reason: string }
  | {
      readonly kind: "clock_behind";
      readonly behindSeconds: number;
      readonly clock: string;
      readonly newestReceipt: string;
    }
  /** This machine's clock against that of the store, or against what an embedded store knows; negative: it is behind. */
  | { readonly kind: "clock_compared"; readonly aheadSeconds: number }
  | { readonly kind: "clock_differs"; readonly aheadSeconds: number }
  /** Somebody said so when the server was started: nothing is checked, as long as it runs. */
  | { readonly kind: "clock_trusted"; readonly advice: string }
  | { readonly kind: "broker_connected"; readonly broker: string; readonly clientId: string; readonly topics: string }
  | { readonly kind: "broker_topics_refused"; readonly broker: string; readonly topics: string }
  | { readonly kind: "broker_lost"; readonly broker: string; readonly reason: string; readonly retryMs: number }
  | {
      readonly kind: "broker_messages_not_stored";
      readonly messages: number;
      readonly retryMs: number;
      readonly cause: unknown;
    }
  | {
      readonly kind: "broker_frames_refused";
      /** Since the last report; the other fields are those of one example. */
      readonly frames: number;
      readonly topic: string;
      readonly imei: string | null;
      readonly reason: string;
    }
  /** Places have no names meanwhile. Reported once until it answers again. */
  | { readonly kind: "geocoder_failed"; readonly reason: string; readonly retryMs: number }
  /** Nobody can sign in by OpenID Connect meanwhile; passwords still work. */
  | { readonly kind: "openid_failed"; readonly reason: string }
  /** A mail was not handed over. The server's own words may hold an address, so it is only the code. */
  | { readonly kind: "mail_failed"; readonly code: string }
  /** The portal draws streets from this file or folder. */
  | {
      readonly kind: "map_tiles_in_use";
      readonly path: string;
      readonly archives: number;
      readonly maxZoom: number;
    }
  /** The portal's map has no streets, or fewer, until this is put right. */
  | { readonly kind: "map_tiles_unusable"; readonly path: string; readonly reason: string }
  | { readonly kind: "password_in_arguments"; readonly flag: string; readonly better: string }
  /** They are lost. Reported once until spans are sent again. */
  | { readonly kind: "traces_not_sent"; readonly spans: number; readonly reason: string }
  | { readonly kind: "maintenance_failed"; readonly task: string; readonly cause: unknown };

/** A request was answered with 4xx. The route is a pattern: neither path nor query, which may hold anything. */
export interface RefusedRequest extends Caller {
  readonly kind: "request_refused";
  readonly requestId: string;
  readonly route: string;
  readonly status: number;
  readonly code: ErrorCode;
  /** The network of an unknown caller, to share out the log's lines. Never written. */
  readonly network?: string;
}

/** Refusals that got no line. */
export interface RefusedRequests extends Caller {
  readonly kind: "requests_refused";
  readonly count: number;
  /** By code, such as `RATE_LIMITED 1190, NOT_FOUND 14`. */
  readonly codes: string;
}

/** Observations of one kind that got no line, because there were too many of them. */
export interface LinesLeftOut {
  readonly kind: "lines_left_out";
  readonly of: Observation["kind"];
  readonly count: number;
  /** The cause of failed requests, or the task that failed. */
  readonly what?: string;
  /** Of failed requests, such as `ingest /frames 1190, /devices 14`. */
  readonly routes?: string;
}

export type Observe = (observation: Observation) => void;
