import { announceSessionChange } from './session-channel.ts';

/** Ends the session, deletes its cookie, and stays on the page. Rejects without network. */
export async function endSessionHere(): Promise<void> {
  await fetch('/session', { method: 'DELETE' });
  announceSessionChange();
}

/**
 * Ends the session, deletes its cookie, also if the session has ended already, and leads to the
 * sign-in page.
 */
export async function signOut(): Promise<void> {
  try {
    await endSessionHere();
  } finally {
    // A full page load, so that no data stays in the document or in memory.
    window.location.replace('/sign-in');
  }
}
