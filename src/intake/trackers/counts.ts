/** What is counted of trackers, by family. They are metrics: each has few labels, and none comes from outside. */
export type FamilyCounts = {
  connections: number;
  messages: number;
  frames: number;
  noise_bytes: number;
  fields_left_out: number;
  parts_unread: number;
  replies_withheld: number;
  /** By kind of problem. */
  readonly undecodable: Record<string, number>;
  /** By reason. */
  readonly refused: Record<RefusedReason, number>;
};

/** Why a connection was closed, or a message not taken. */
const refusedReasons = [
  "unknown",
  "too_many_unknown",
  "other_protocol",
  "other_identity",
  "not_logged_in",
  "network",
  "no_proxy_header",
  "too_many_connections",
  "no_place",
  "same_device",
  "no_login",
  "idle",
  "noise",
  "slow_reader",
  "overload",
  "too_large",
] as const;
export type RefusedReason = (typeof refusedReasons)[number];

export function noCounts(): FamilyCounts {
  return {
    connections: 0,
    messages: 0,
    frames: 0,
    noise_bytes: 0,
    fields_left_out: 0,
    parts_unread: 0,
    replies_withheld: 0,
    undecodable: { checksum: 0, unknown_message: 0, malformed: 0, no_time: 0, missing_part: 0 },
    refused: Object.fromEntries(refusedReasons.map((reason) => [reason, 0])) as Record<RefusedReason, number>,
  };
}
