/** Whether tests that have a long form run it: `npm test -- --full`. */
export const isFullRun = process.env['TEST_FULL'] === '1';
