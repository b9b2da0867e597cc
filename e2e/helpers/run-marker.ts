import { randomBytes } from 'node:crypto';

/**
 * The marker in the names of everything that a worker creates, to tell it from what existed before.
 */
export const runMarker = `e2e-${randomBytes(2).toString('hex')}`;
