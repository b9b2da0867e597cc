import { isIP } from 'node:net';
import type { Config } from '../../../../config/load-config.ts';

/**
 * The host for which passkeys are made (the relying party of WebAuthn), and the pages on which they
 * can be used.
 */
export type RelyingParty = { host: string; origin: string };

const loopbackAddresses = new Set(['127.0.0.1', '[::1]']);

/**
 * A passkey belongs to a host name. A service on a loopback address can also be reached as
 * `localhost`, so passkeys work there; a service with any other IP address as PUBLIC_URL gets null.
 */
export function relyingPartyOf({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty | null {
  const { hostname, origin, protocol, port } = publicUrl;
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) === 0) return { host: hostname, origin };
  if (!loopbackAddresses.has(hostname)) return null;
  return { host: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` };
}
