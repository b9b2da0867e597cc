/** Whether tests with a long form run it, as with `npm test -- --full`. */
export const isFullRun = process.env['TEST_FULL'] === '1';
