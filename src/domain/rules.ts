/** Grows with every change of what is derived from the same frames. Devices of other rules are derived again. */
export const rulesVersion = 6;
