import { BlockList, isIP } from "node:net";
import { hostOf } from "./client.ts";
import type { BrokerPlace, IngestAddress } from "./records/ingest-token.ts";

/** Where frames come in, as far as people need it. */
export interface IngestPlace {
  /** What trackers reach, if the operator has set it. */
  readonly url: string | null;
  /** The port for trackers. */
  readonly port: number;
  /** Without the name and the password of this server. */
  readonly mqtt: BrokerPlace | null;
}

/** Before the side that takes frames in listens. */
const unknownPlace: IngestPlace = { url: null, port: 8081, mqtt: null };

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** The address that people are shown. Unless it is set, it is a guess: a proxy may hide where trackers come in. */
export function ingestAddress(place: IngestPlace | null, request: Request): IngestAddress {
  const { url, port, mqtt } = place ?? unknownPlace;
  const shown = url ?? `http://${hostNameIn(hostOf(request))}:${port}`;
  return { url: shown, is_guess: url === null, is_loopback: isLoopbackName(new URL(shown).hostname), mqtt };
}

/** A host without its port; an IPv6 address stays in its brackets. */
function hostNameIn(host: string): string {
  return (URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname) || "localhost";
}

function isLoopbackName(hostname: string): boolean {
  if (/(^|\.)localhost\.?$/i.test(hostname)) return true;
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 6 ? "ipv6" : "ipv4");
}
