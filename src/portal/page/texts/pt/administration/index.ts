export { audit } from "./audit.ts";
export { fences } from "./fences.ts";
export { fleet } from "./fleet.ts";
export { people } from "./people.ts";
export { rules } from "./rules.ts";
export { links, setup } from "./setup.ts";
export { trackers } from "./trackers.ts";
export { vehicles } from "./vehicles.ts";
