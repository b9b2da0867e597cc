/** How long a reason of installation support counts at most, in hours. */
export const visitHours = 12;
