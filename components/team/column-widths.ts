/** Minimum widths in pixels. Invitations and installation support line up with members above. */
export const columnWidths = {
  member: 220,
  role: 140,
  lastSeen: 160,
  secondFactor: 150,
  actions: 28,
} as const;
