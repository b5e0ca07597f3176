export const mine = {};
