export const usage = {};
