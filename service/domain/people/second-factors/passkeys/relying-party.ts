import { isIP } from 'node:net';
import type { Config } from '../../../../config/load-config.ts';

/** For whom passkeys are made (WebAuthn's relying party), and on which pages they may be used. */
export type RelyingParty = { host: string; origin: string };

const loopbackAddresses = new Set(['127.0.0.1', '[::1]']);

/**
 * A passkey belongs to a host name. A service on a loopback address is reached as `localhost` too, so
 * they work there; one that has any other address as PUBLIC_URL gets null.
 */
export function relyingPartyOf({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty | null {
  const { hostname, origin, protocol, port } = publicUrl;
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) === 0) return { host: hostname, origin };
  if (!loopbackAddresses.has(hostname)) return null;
  return { host: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` };
}
