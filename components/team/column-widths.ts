/**
 * Minimum widths in pixels. A wide page distributes the remaining space in proportion to them.
 * The tables of invitations and of installation support use the same widths, so that they line up
 * with the members above.
 */
export const columnWidths = {
  member: 220,
  role: 140,
  lastSeen: 160,
  secondFactor: 150,
  actions: 28,
} as const;
