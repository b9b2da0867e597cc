import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import {
  findObstacle,
  portOf,
  type Obstacle,
  type TargetRules,
} from '#service/domain/webhooks/target/check-target.ts';
import { createBoundedConnector } from './connect-bounded.ts';
import type { ConnectorOptions } from './connect-bounded.ts';
import type { Address, Resolve } from './resolve-name.ts';

export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
  readonly address: string;
  readonly obstacle: Obstacle;

  constructor(address: string, obstacle: Obstacle) {
    super('An address may not be called.');
    this.address = address;
    this.obstacle = obstacle;
  }
}

/**
 * Opens connections to one origin, and only to addresses that may be called.
 *
 * The name is looked up here, and the addresses found are dialed without a second look-up in which
 * the name could change its address (DNS rebinding). If one of the addresses may not be called,
 * none is. The `Host` header and the TLS server name still use the name.
 */
export function createGuardedConnector(
  options: { origin: URL; rules: TargetRules; resolve: Resolve } & ConnectorOptions,
): buildConnector.connector {
  const { rules, resolve } = options;
  const port = portOf(options.origin);

  function findBlocked(address: string): BlockedAddressError | null {
    const obstacle = findObstacle(address, port, rules);
    return obstacle && new BlockedAddressError(address, obstacle);
  }

  async function lookUp(hostname: string): Promise<Address[]> {
    const addresses = await resolve(hostname);
    for (const { address } of addresses) {
      const blocked = findBlocked(address);
      if (blocked) throw blocked;
    }
    return [...addresses];
  }

  const connect = buildConnector({
    allowH2: false,
    timeout: options.connectTimeoutMs,
    // Addresses are tried one after the other until one responds. A second is long enough for the
    // most distant server that is up.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1000,
    lookup: respondWith(lookUp),
  });

  return createBoundedConnector((target, callback) => {
    // A literal address is dialed without a look-up.
    const { hostname } = target;
    const blocked = isIP(hostname) === 0 ? null : findBlocked(hostname);
    if (blocked) {
      callback(blocked, null);
      return;
    }
    connect({ hostname, protocol: 'http:', port: String(port) }, callback);
  }, options);
}

/** Adapts `lookUp` to the signature that `net.connect` expects. */
function respondWith(lookUp: (hostname: string) => Promise<Address[]>): LookupFunction {
  const lookUpThen = callbackify(lookUp);
  return (hostname, { all }, callback) =>
    lookUpThen(hostname, (error, addresses) => {
      const [first] = error ? [] : addresses;
      if (first === undefined) callback(error ?? notFound(hostname), []);
      else if (all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND' });
}
