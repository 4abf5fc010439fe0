/**
 * A parked vehicle's fix drifts no farther than this; within it nothing changes. A stop may move a little with every frame,
 * as more is known of it; it is another stop if it is farther from where it was at the last frame.
 */
export const standingMetres = 100;

/**
 * A lone fix of a parked vehicle can be farther off than that, and lead over a fence and back. So a way from a stop leads
 * through a fence unseen only if it is longer than any drift, or once the vehicle is on a trip.
 */
export const driftMetres = 2 * standingMetres;
