import { idleSeconds } from './session-lifetime.ts';

/** How old the recorded last use may be: an active person causes at most one write in this time. */
export const recordUseSeconds = 60;

/**
 * Whether the last use of a session was recorded recently enough. Uses the system's time, as
 * better-auth does, which sets `expiresAt` whenever it records a use.
 */
export function isUseRecorded({ expiresAt }: { expiresAt: Date }): boolean {
  return expiresAt.getTime() - (idleSeconds - recordUseSeconds) * 1000 > Date.now();
}
