/** Up to how many deliveries that are held the status of the installation counts. */
export const maxHeldCount = 10_000;
