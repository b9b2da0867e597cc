/** In pixels, at least; a wide page shares out what is left by these. Below the members, invitations line up. */
export const columnWidths = {
  member: 220,
  role: 140,
  lastSeen: 160,
  secondFactor: 150,
  actions: 28,
} as const;
