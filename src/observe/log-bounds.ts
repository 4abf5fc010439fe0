import type { Observation } from "./observation.ts";

/**
 * What keeps a kind from filling the log:
 * - `start`: it comes once with a start, an end or a conversion;
 * - `timer`: whoever observes it waits for at least ten seconds before the next;
 * - `debug`: its level; only an operator who asks for that gets it;
 * - `refusals`, `repeats`: a stranger, a sender or a fault that lasts can repeat it without end, so its lines are shared out
 *   (bound-log.ts).
 */
type Bound = "start" | "timer" | "debug" | "refusals" | "repeats";

/** The compiler demands an entry when a kind is added. If in doubt, it is `repeats`. */
export const boundOf: Readonly<Record<Observation["kind"], Bound>> = {
  schema_migrated: "start",
  store_conversion_started: "start",
  store_conversion_progress: "start",
  store_conversion_finished: "start",
  store_conversion_interrupted: "start",
  server_not_listening: "start",
  server_listening: "start",
  server_draining: "start",
  server_cut_off: "start",
  server_stopped: "start",
  password_in_arguments: "start",
  clock_trusted: "start",
  rules_upgrade_started: "timer",
  rules_upgrade_progress: "timer",
  rules_upgrade_finished: "timer",
  frames_dropped: "timer",
  retention_refused: "timer",
  clock_behind: "timer",
  clock_differs: "timer",
  requests_refused: "timer",
  lines_left_out: "timer",
  request_answered: "debug",
  request_aborted: "debug",
  frames_stored: "debug",
  submission_stored: "debug",
  device_upgraded: "debug",
  page_read: "debug",
  replica_measured: "debug",
  clock_compared: "debug",
  retention_passed: "debug",
  worker_failed: "debug",
  store_measured: "debug",
  request_refused: "refusals",
  request_failed: "repeats",
  download_left: "repeats",
  late_frames_refolded: "repeats",
  work_led: "repeats",
  work_taken_over: "repeats",
  work_lost: "repeats",
  replica_used: "repeats",
  replica_left: "repeats",
  broker_connected: "repeats",
  broker_topics_refused: "repeats",
  broker_lost: "repeats",
  broker_messages_not_stored: "repeats",
  broker_frames_refused: "repeats",
  geocoder_failed: "repeats",
  openid_failed: "repeats",
  mail_failed: "repeats",
  map_tiles_in_use: "repeats",
  map_tiles_unusable: "repeats",
  traces_not_sent: "repeats",
  maintenance_failed: "repeats",
};
