import { plural } from "../plural.ts";

export const map = {
  title: "Map",
  heading: "Vehicles",
  looking: "Looking for your vehicles",
  loading: "Loading the map",
  stage: "Map of the vehicles",
  cannotDraw: "This browser cannot draw the map, because its graphics (WebGL 2) are switched off or missing.",
  listShowsAll: "The list beside it shows every vehicle.",
  // What a vehicle is doing.
  motion: { moving: "Moving", idling: "Idling", stopped: "Stopped", offline: "Offline" },
  movingFor: (duration: string) => `driving ${duration}`,
  engineOnFor: (duration: string) => `engine on ${duration}`,
  stoppedFor: (duration: string) => `for ${duration}`,
  silentFor: (duration: string) => `silent for ${duration}`,
  days: (days: string) => `${days} days`,
  // The list.
  showOnly: "Show only",
  some: (shown: string, all: string) => `${shown} of ${all}`,
  live: "Live",
  noneFits: "None fits. Try fewer letters, or another state or tag.",
  showMore: (count: string) => `Show ${count} more`,
  // The details of a vehicle.
  closeDetails: "Close details",
  follow: "Follow",
  playBack: "Play back a day",
  speed: "Speed",
  ignition: "Ignition",
  on: "On",
  off: "Off",
  odometer: "Odometer",
  supply: "Supply",
  coordinates: "Coordinates",
  positionOf: "Position of",
  nowFollowing: (name: string) => `The map follows ${name}`,
  // Several vehicles in one place.
  pile: (count: number, shown: string) => plural(count, shown, "vehicle here", "vehicles here"),
  closePile: "Close the list",
  // Names of places.
  from: (distance: string, fence: string) => `${distance} from ${fence}`,
  // Where there is nothing to show.
  noPositions: "No positions yet",
  firstPosition: "A vehicle appears here with its first valid position.",
  checkTrackers: "If you expect some, check that the trackers send to the ingest port.",
  checkTrackersOrAsk:
    "If you expect some, check that the trackers send to the ingest port, or ask the owner of the account.",
  noVehicles: "No vehicles yet",
  addFirstWhat: "A vehicle needs a name and the IMEI of its tracker.",
  addFirst: "Add the first vehicle",
  askOwner: "Ask the owner of the account to assign some to you.",
  canvas: "Map. Arrow keys move it, plus and minus zoom",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  toggleMakers: "Show or hide who made the map",
  worldMakers: "Coasts and borders: Natural Earth",
  styleUnusable: "The map style of the settings cannot be loaded. This is the built-in map.",
  streetsUnusable: "The streets cannot be loaded. This is the coarse map.",
};
