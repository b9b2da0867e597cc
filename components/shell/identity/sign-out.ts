import { announceSessionChange } from './session-channel.ts';

/**
 * Ends the session, deletes its cookie, also if the session has ended already, and leads to the
 * sign-in page.
 */
export async function signOut(): Promise<void> {
  try {
    await fetch('/session', { method: 'DELETE' });
    announceSessionChange();
  } finally {
    // A full page load, so that no data stays in the document or in memory.
    window.location.replace('/sign-in');
  }
}
