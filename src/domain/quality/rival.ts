import { metresBetween, type Place } from "../geometry/distance.ts";
import { kmh } from "../sighting.ts";
import { sticksOut } from "./fit.ts";
import type { Foothold } from "./footing.ts";
import type { JudgeState, Rival } from "./judge-state.ts";
import type { PlacedFrame } from "./own-verdict.ts";

type PlaceAt = Place & { readonly recordedAt: number };

/** Reflections put a fix off by less. */
const apartMetres = 500;

/** A faulty fix or two are no second tracker. */
const enough = 5;

/** Whether it drives or stands: no parked vehicle's positions are this far apart. */
const drivenMetres = 150;

/** Random places lead to and fro; a drive is at least half as long as the way it comes. */
const maxDetour = 2;

/** A vehicle on a trip stands for less at a light or at a stop. */
const standMs = 180_000;

/** So long after its last frame the believed tracker is gone: three lost frames of one that reports every five minutes. */
const silentMs = 900_000;
/** And the other one: what comes then is another story. */
const forgottenMs = 3_600_000;

/** On average no vehicle drives faster, nor comes and goes this fast between two frames of a place. */
const fastestKmh = 150;
const zigzagKmh = 100;
/** A frame of the other one takes less than this share of the speed from there. */
const maxShare = 0.5;

/** Whether two trackers send under this device's IMEI: its frames keep alternating between two tracks far apart. */
export function isSharedByTwo({ rival }: JudgeState): boolean {
  return rival !== null && rival.turns >= enough;
}

/** Whether a frame, `metres` from the anchor, is one of the other tracker. */
export function isOfRival({ anchor, rival }: JudgeState, frame: PlacedFrame, metres: number): boolean {
  if (rival === null || anchor === null || metres <= apartMetres || isForgotten(rival, frame)) return false;
  const fromRivalKmh = kmh(metresBetween(rival, frame), frame.recordedAt - rival.at);
  return fromRivalKmh <= fastestKmh && fromRivalKmh < maxShare * kmh(metres, frame.recordedAt - anchor.at);
}

/** With one more frame of the other tracker. */
export function withOther(rival: Rival, frame: PlaceAt): Rival {
  const leg = metresBetween(rival, frame);
  const metres = rival.metres + (leg > drivenMetres ? Math.round(leg) : 0);
  const frames = Math.min(enough, rival.frames + 1);
  const next: Rival = { ...rival, ...placed(frame), metres, frames };
  const isToAndFro = frames >= enough && metres > maxDetour * metresBetween(rival.from, frame);
  return isToAndFro ? begun(frame, rival.stand, rival.since) : next;
}

/** Whether the other tracker, with a frame just added, is to be believed instead: it drives, or the anchor's is gone. */
export function isToBelieve({ anchor }: JudgeState, rival: Rival): boolean {
  if (rival.frames < enough || anchor === null) return false;
  if (rival.at - anchor.at > silentMs) return true;
  return rival.at - rival.since >= standMs && metresBetween(rival.from, rival) > drivenMetres;
}

/** The believed one and the other, exchanged. */
export function exchanged({ turns }: { readonly turns: number }, anchor: Foothold, frame: PlacedFrame): Rival {
  return { ...begun(recorded(anchor), frame, frame.recordedAt), turns };
}

/** The same where the vehicle could have driven over. Back at a place of both it turned once more; else all is new. */
function exchangedAgain(rival: Rival | null, anchor: Foothold, frame: PlacedFrame): Rival {
  return exchanged({ turns: rival !== null && isAt(rival, frame) ? nextTurn(rival) : 0 }, anchor, frame);
}

/** What is known of a rival after a frame was judged as if there were none. */
export function rivalAfter(before: JudgeState, after: JudgeState, frame: PlacedFrame): Rival | null {
  const { anchor } = after;
  if (anchor === null || before.anchor === null) return after.rival;
  const known = after.rival !== null && isForgotten(after.rival, frame) ? null : after.rival;
  const isAccepted = anchor !== before.anchor;
  if (!isAccepted) return metresBetween(anchor, frame) > apartMetres ? seenElsewhere(known, anchor, frame) : known;
  if (after.prev === before.anchor || after.prev === before.prev) return afterReturn(known, before, after, frame);
  return metresBetween(before.anchor, frame) > apartMetres ? exchangedAgain(known, before.anchor, frame) : known;
}

function afterReturn(known: Rival | null, before: JudgeState, after: JudgeState, frame: PlacedFrame): Rival | null {
  const { anchor } = before;
  if (anchor === null) return known;
  const stray = strayed(anchor, before, after, frame);
  if (stray === null && known === null) return null;
  if (isOfRival(before, frame, metresBetween(anchor, frame))) return exchangedAgain(known, anchor, frame);
  const rival = stray === null ? known : seenElsewhere(known, frame, stray);
  return rival === null ? null : returned(rival, stray !== null || rival.at > anchor.at, frame);
}

/** The anchor before, if the vehicle cannot well have been there between the frame before it and this one. */
function strayed(anchor: Foothold, before: JudgeState, after: JudgeState, frame: PlacedFrame): PlaceAt | null {
  if (after.prev !== anchor) return recorded(anchor);
  const { paceKmh } = after.anchor as Foothold;
  if (paceKmh === null || paceKmh < zigzagKmh || metresBetween(anchor, frame) <= apartMetres) return null;
  return sticksOut(before, frame) ? recorded(anchor) : null;
}

/** With a frame away from the believed track, which was last seen at a place. One that is out of reach begins anew. */
function seenElsewhere(rival: Rival | null, believed: Place, frame: PlaceAt): Rival {
  const follows = rival !== null && kmh(metresBetween(rival, frame), frame.recordedAt - rival.at) <= fastestKmh;
  return follows ? withOther(rival, frame) : begun(frame, believed, frame.recordedAt);
}

/** A frame of the believed track. If it drives, only a rival that stands is still known. */
function returned(rival: Rival, isTurn: boolean, frame: PlacedFrame): Rival {
  const hasStood = isAt(rival.stand, frame);
  if (!isTurn && hasStood) return rival;
  const turns = isTurn ? nextTurn(rival) : rival.turns;
  if (hasStood) return { ...rival, turns };
  const { at: recordedAt, latitude, longitude } = rival;
  const next = begun({ recordedAt, latitude, longitude }, frame, frame.recordedAt);
  return { ...next, turns: isAt(rival.from, rival) ? turns : 0 };
}

function nextTurn({ turns }: Rival): number {
  return Math.min(enough, turns + 1);
}

function isAt(place: Place, other: Place): boolean {
  return metresBetween(place, other) <= drivenMetres;
}

function begun(other: PlaceAt, { latitude, longitude }: Place, since: number): Rival {
  const from: Place = { latitude: other.latitude, longitude: other.longitude };
  return { ...placed(other), from, stand: { latitude, longitude }, since, metres: 0, frames: 1, turns: 0 };
}

function placed({ recordedAt, latitude, longitude }: PlaceAt) {
  return { at: recordedAt, latitude, longitude };
}

function recorded({ at, latitude, longitude }: Place & { readonly at: number }): PlaceAt {
  return { recordedAt: at, latitude, longitude };
}

function isForgotten(rival: Rival, { recordedAt }: { readonly recordedAt: number }): boolean {
  return recordedAt - rival.at > forgottenMs;
}
