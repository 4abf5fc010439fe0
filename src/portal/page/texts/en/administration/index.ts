import { audit } from "./audit.ts";
import { fences } from "./fences.ts";
import { fleet } from "./fleet.ts";
import { links } from "./links.ts";
import { people } from "./people.ts";
import { rules } from "./rules.ts";
import { setup } from "./setup.ts";
import { trackers } from "./trackers.ts";
import { vehicles } from "./vehicles.ts";

export const administration = { fleet, vehicles, people, fences, rules, trackers, audit, setup, links };
