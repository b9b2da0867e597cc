/** How long a session lasts without use. */
export const idleSeconds = 12 * 60 * 60;
/** How old the recorded last use may be: an active person costs one write in this time. */
export const recordUseSeconds = 60;

/**
 * Whether the last use of a session is recorded recently enough for now. By the system's time, as
 * better-auth reckons: each record sets `expiresAt` anew.
 */
export function isUseRecorded({ expiresAt }: { expiresAt: Date }): boolean {
  return expiresAt.getTime() - (idleSeconds - recordUseSeconds) * 1000 > Date.now();
}
