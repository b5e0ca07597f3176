/** Template of the page on which anybody reports a review. */
export const REPORT_PATH = '/reviews/:id/report';
