/**
 * What a tracker, or a stranger that pretends to be one, may take up. There is no token on this wire, so these hold for all,
 * and each is far above what a tracker needs.
 */
export const limits = {
  /** Some 300 MB of sockets. Fewer where the process may open fewer files: see `budgetOf`. */
  connections: 50_000,
  /** Carriers put thousands of SIM cards behind one address, so it is generous. But one address must not take every place. */
  connectionsOfAddress: 25_000,
  /**
   * Of one address, before their login. A tracker has logged in within a second or two, so hundreds a second get through; for the
   * next one, the one that has had its turn for longest waits.
   */
  readOfAddress: 500,
  /** A tracker that loses its network leaves one behind each time, until the system finds that out within some minutes. */
  connectionsOfDevice: 8,
  /** Of whole messages that do not say who sends. Logins have some 20 to 60 bytes. Enough for a few retries. */
  bytesBeforeLogin: 4_096,
  /** A modem that wakes up sends its login within seconds, on a bad link within half a minute. */
  loginMs: 60_000,
  /** Trackers at rest send a heartbeat every 3 to 30 minutes. One that is silent for longer is gone, and connects again. */
  idleMs: 65 * 60_000,
  /** Without a message that can be read between. A peer that sends nothing else speaks another protocol. */
  noiseBytes: 4_096,
  /** Of one connection, not yet stored. It is not read from above this; TCP slows the sender down. */
  waitingBytes: 256 * 1_024,
  /** Of all connections together, not yet stored. Above this, none is read from that has anything to be stored. */
  slowBytes: 32 * 1_024 * 1_024,
  /** Of all connections together. A connection that goes beyond it is closed, and the tracker sends again later. */
  heldBytes: 256 * 1_024 * 1_024,
  /** Of one connection, stored together. */
  messagesAtOnce: 64,
  /** Looked at in one turn of the event loop, of all connections: at the worst that takes two or three milliseconds. See `WorkTurns`. */
  bytesAtOnce: 2_048,
  /** Trackers send what goes through a mobile network in one piece, some 1,400 bytes, and seldom more. Larger ones are not read. */
  datagramBytes: 4_096,
  /**
   * That have come and are not stored yet. More are not taken, as if they were lost in the network; what is lost is sent again. Where
   * they say that they come from may be made up, so there is no limit for each address.
   */
  datagrams: 10_000,
  datagramsBytes: 4 * 1_024 * 1_024,
  /** Of one port, read in one turn of the event loop: more than most systems keep for it. See `openDatagramPort`. */
  datagramsAtOnce: 1_000,
  /** How long a tracker that stays connected may go on after its owner has bound it to another family, or was suspended. */
  judgeAgainMs: 30_000,
  /** Frames of one connection that are stored together: more wait for the next transaction. */
  framesAtOnce: 1_000,
  /** From one address: so many are noted, for the accounts that expect them. See `Strangers`. */
  unknownPerSecond: 20,
  /** From all addresses. Those of datagrams may be made up. Together less than `UnknownDevices` can remember. */
  unknownInAll: { tcp: 1_000, udp: 200 },
  /** Time for a tracker to take a reply of some bytes, before its connection is closed. */
  unsentReplyBytes: 16 * 1_024,
} as const;
