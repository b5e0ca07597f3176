export const write = {};
