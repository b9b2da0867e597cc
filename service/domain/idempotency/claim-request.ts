import { createHash } from 'node:crypto';
import { dayMs } from '#lib/durations.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { invalid } from '../errors.ts';
import { claimResponse, findResponse, keepResponse } from './store.ts';

/** How long a request is known by its `Idempotency-Key`: 24 hours. */
export const knownMs = dayMs;

/** A request as its caller repeats it: the `Idempotency-Key`, if there is one, and what is asked for. */
export type NamedRequest = { key: string | null; route: string; request: unknown };

/** A request that came before, with what was kept of it. */
export type EarlierRequest<Kept> = { kept: Kept; at: Date; isSameRequest: boolean };

/** The hold a transaction has on the name of its request. */
export type Claim<Kept> = {
  /** Null if the request comes for the first time, or has no name. */
  before: EarlierRequest<Kept> | null;
  /** Keeps something for when the request is repeated. */
  keep: (kept: Kept) => Promise<void>;
};

/**
 * Takes the name of a request in the transaction that acts, so that of requests with one name that
 * come at once the others wait for the first and then find what it kept. A crash leaves both the act
 * and what was kept of it, or neither.
 */
export async function claimRequest<Kept>(
  tx: Tx,
  actor: Actor,
  { key, route, request, now }: NamedRequest & { now: Date },
): Promise<Claim<Kept>> {
  if (key === null) return { before: null, keep: async () => undefined };

  const caller = actor.kind === 'api_key' ? `key:${actor.keyId}` : `person:${actor.personId}`;
  const name = { accountId: actor.accountId, caller, route, key };
  const requestDigest = createHash('sha256').update(JSON.stringify(request)).digest();
  const oldest = new Date(now.getTime() - knownMs);
  const keep = (kept: Kept) => keepResponse(tx, name, kept);

  if (await claimResponse(tx, name, { requestDigest, now, oldest })) return { before: null, keep };
  const found = await findResponse(tx, name);
  if (!found) throw refuseReuse();
  const isSameRequest = found.requestDigest.equals(requestDigest);
  // Stored by this function for the same route, so it has the route's shape.
  return { before: { kept: found.answer as Kept, at: found.createdAt, isSameRequest }, keep };
}

/** What a known name answers to another request. */
export function refuseReuse(): Error {
  return refuseRepeat('This key was used for another request in the last 24 hours. Use a new one.');
}

/** A refusal on account of the name. */
export function refuseRepeat(message: string): Error {
  return invalid('Idempotency-Key', message);
}
