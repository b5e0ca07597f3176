export const dispute = {};
