/**
 * What a tracker, or somebody who pretends to be one, may take up. There is no token on this wire, so these hold for everybody,
 * and each is far above what a tracker needs.
 */
export const limits = {
  /** Some 300 MB of sockets. A process may open fewer files than that by default: see docs/operations.md. */
  connections: 50_000,
  /** Carriers put thousands of SIM cards behind one address, so it is generous. But one address must not take every place. */
  connectionsOfAddress: 25_000,
  /** Logins have some 20 to 60 bytes, and H02 needs none. Enough for a few retries. */
  bytesBeforeLogin: 4_096,
  /** A modem that wakes up sends its login within seconds, on a bad link within half a minute. */
  loginMs: 60_000,
  /** Trackers at rest send a heartbeat every 3 to 30 minutes. Whoever is silent for longer is gone, and connects again. */
  idleMs: 65 * 60_000,
  /** A tracker that sends nothing but noise speaks another protocol: one with a fault on its line has some bytes of it. */
  noiseBytes: 4_096,
  /** Of one connection, not yet stored. It is not read from above this; TCP slows the sender down. */
  waitingBytes: 256 * 1_024,
  /** Of all datagrams, which cannot be slowed down. Further ones are dropped; the tracker sends them again. */
  waitingDatagramBytes: 16 * 1_024 * 1_024,
  /** Frames of one connection that are stored together: more wait for the next transaction. */
  framesAtOnce: 1_000,
  /** Different ones from one address, in a second and in a day: guessing the IMEIs of other fleets must be slow. See `Gate`. */
  unknownPerSecond: 20,
  unknownPerDay: 2_000,
  /** Time for a tracker to take a reply of some bytes, before its connection is closed. */
  unsentReplyBytes: 16 * 1_024,
} as const;
