export const cases = {};
