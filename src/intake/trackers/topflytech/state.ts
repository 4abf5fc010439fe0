/** Of the byte of state: it is a place of satellites, not cells. The lowest five bits are how many. */
export const isPlaceBit = 0x40;
export const satellitesBits = 0x1f;
/** Where the place would be, there are cells. */
export const placeBytes = 16;
