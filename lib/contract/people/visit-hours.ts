/** For how many hours a reason of installation support is valid at most. */
export const visitHours = 12;
