import { BlockList, isIP } from "node:net";
import { trackerProtocols } from "../domain/tracker-protocols.ts";
import { families } from "../intake/trackers/families.ts";
import type { BrokerPlace, IngestAddress, TrackerAddress } from "./both-sides/contract/trackers.ts";
import { hostOf } from "./client.ts";

/** Where frames come in, as far as people need it. */
export interface IngestPlace {
  /** What trackers reach, if the operator has set it. */
  readonly url: string | null;
  /** The port for trackers. */
  readonly port: number;
  /** Without the name and the password of this server. */
  readonly mqtt: BrokerPlace | null;
  /** By family: where trackers that speak its protocol call. */
  readonly trackerPorts: Readonly<Record<string, number>>;
}

/** Before the side that takes frames in listens. */
const unknownPlace: IngestPlace = { url: null, port: 8081, mqtt: null, trackerPorts: {} };

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Nobody outside reaches them: no tracker with a SIM card. */
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
] as const) {
  privateNetworks.addSubnet(network, prefix, "ipv4");
}
privateNetworks.addSubnet("fc00::", 7, "ipv6");
privateNetworks.addSubnet("fe80::", 10, "ipv6");

/** The address that people are shown. Unless it is set, it is a guess: a proxy may hide where trackers come in. */
export function ingestAddress(place: IngestPlace | null, request: Request): IngestAddress {
  const { url, port, mqtt } = place ?? unknownPlace;
  const shown = url ?? `http://${hostNameIn(hostOf(request))}:${port}`;
  return { url: shown, is_guess: url === null, is_loopback: isLoopbackName(new URL(shown).hostname), mqtt };
}

/** Where trackers call, in the words of an SMS: a name or an address without brackets. */
export function trackerAddress(place: IngestPlace | null, publicUrl: string | null, request: Request): TrackerAddress {
  const { url, trackerPorts } = place ?? unknownPlace;
  const given = url ?? publicUrl;
  const hostname = given === null ? hostNameIn(hostOf(request)) : new URL(given).hostname;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const ports = trackerProtocols.map((protocol) => {
    return { protocol, port: trackerPorts[protocol] ?? null, usual_port: families[protocol].port };
  });
  return { host, is_guess: given === null, is_local: isLoopbackName(host) || isIn(privateNetworks, host), ports };
}

/** A host without its port; an IPv6 address stays in its brackets. */
function hostNameIn(host: string): string {
  return (URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname) || "localhost";
}

function isLoopbackName(hostname: string): boolean {
  if (/(^|\.)localhost\.?$/i.test(hostname)) return true;
  return isIn(loopback, hostname.replace(/^\[(.*)\]$/, "$1"));
}

function isIn(networks: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && networks.check(address, family === 6 ? "ipv6" : "ipv4");
}
