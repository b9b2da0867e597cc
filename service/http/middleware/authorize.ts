import { memberMay } from '#lib/contract/rights/member-rights.ts';
import { refusalAdvice } from '#lib/contract/rights/roles.ts';
import type { RouteAccess, RouteDefinition } from '#lib/contract/route.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import { limitKeyOf, limitKeyOfPerson } from '../../domain/actor.ts';
import type {
  Actor,
  ApiKeyActor,
  PersonActor,
  Provisioner,
  SignedInPerson,
} from '../../domain/actor.ts';
import { recordUse } from '../../domain/api-keys/tokens/authenticate-token.ts';
import { ServiceError, forbidden, lacksScope, notFound } from '../../domain/errors.ts';
import { accountDeletedError } from '../../domain/people/accounts/deletion.ts';
import { accountClosedError } from '../../domain/people/installation-support/set-installation-support.ts';
import type { Call } from '../call.ts';
import { authenticate } from './authenticate.ts';
import { limitRate, limitRateOutsideNetworks } from './limit-rate.ts';

/** The authorized caller. `actor` is null on routes that need no person or key. */
type Authorized = { actor: AuthorizedActor | null; sessionToken: string | null };

/**
 * Only routes for a `session` accept a person who belongs to no account, and only those for a
 * `provisioner` accept one.
 */
type AuthorizedActor = Actor | SignedInPerson | Provisioner;

type CheckedRoute = Pick<
  RouteDefinition,
  | 'access'
  | 'isCreationLimited'
  | 'isExemptFromAccountLimit'
  | 'isExemptFromPersonLimit'
  | 'onRepeat'
  | 'worksInDeletedAccount'
>;

/**
 * The first checks of every request, in this order: who calls (401), how often (429), whether the
 * account is theirs (404), and whether they may (403), with a reason if they need one. `route` is
 * null for a path that does not exist; only authenticated callers learn that.
 */
export async function authorize(
  ctx: Context,
  call: Call,
  route: CheckedRoute | null,
): Promise<Authorized> {
  const access = route?.access ?? null;
  if (access === 'public') return { actor: null, sessionToken: null };

  const caller = await authenticate(ctx, call, { needsSlot: needsSlot(route) });
  if (caller.kind === 'dashboard') {
    if (access === 'dashboard') return { actor: null, sessionToken: null };
    throw new ServiceError('UNAUTHORIZED');
  }
  if (caller.kind === 'provisioner') {
    if (access !== 'provisioner') throw new ServiceError('UNAUTHORIZED');
    const { provisioner } = caller;
    await limitRate(ctx, call, { limitKey: `provisioner:${provisioner.provisionerId}` });
    return { actor: provisioner, sessionToken: null };
  }
  if (caller.kind === 'not_a_member') {
    await limitRate(ctx, call, { limitKey: limitKeyOfPerson(caller.personId) });
    if (caller.deletedAt) throw accountDeletedError();
    throw caller.closedAt ? accountClosedError(caller.closedAt) : notFound();
  }
  if (caller.kind === 'of_no_account') {
    // The same error as for an ended session, because other routes offer nothing to a person
    // without an account.
    if (access !== 'session') throw new ServiceError('UNAUTHORIZED');
    const { person, sessionToken } = caller;
    await limitPerson(ctx, call, { personId: person.personId, route });
    return { actor: person, sessionToken };
  }
  if (caller.kind === 'address_not_allowed') {
    setExpiryHeader(call, caller.actor);
    await limitRateOutsideNetworks(ctx, call, caller.actor);
    throw forbidden('network');
  }
  const { actor, sessionToken, token } = caller;
  if (actor.kind === 'api_key') {
    setExpiryHeader(call, actor);
    await limitKey(ctx, call, { key: actor, route });
  } else {
    await limitPerson(ctx, call, { personId: actor.personId, route });
  }
  const written = token && recordUse(ctx, token, call.origin);
  if (written) await written;
  refuseForbidden(actor, { route, call });
  return { actor, sessionToken };
}

/** How old the check of a key may be when its call is carried out, in milliseconds. */
const maxCheckAgeMs = 1000;

/**
 * Checks the key of a call once more if its body took longer than a second to arrive. Otherwise a
 * client could begin calls with a leaked token, and let them change something half a minute after
 * the key was revoked. The call does not count again.
 *
 * @param options.checkedAt when `authorize` checked the key
 * @returns the key with its present scopes
 */
export async function authorizeSlowCall(
  ctx: Context,
  call: Call,
  { route, key, checkedAt }: { route: CheckedRoute; key: ApiKeyActor; checkedAt: Date },
): Promise<ApiKeyActor> {
  const age = ctx.clock.now().getTime() - checkedAt.getTime();
  // If the clock was set back, the age is unknown.
  if (age >= 0 && age <= maxCheckAgeMs) return key;
  const caller = await authenticate(ctx, call, { needsSlot: needsSlot(route) });
  if (caller.kind !== 'actor' || caller.actor.kind !== 'api_key') throw forbidden('network');
  refuseForbidden(caller.actor, { route, call });
  return caller.actor;
}

function setExpiryHeader(call: Call, { endsAt }: ApiKeyActor): void {
  if (endsAt) call.setHeader('API-Key-Expires', formatApiTime(endsAt));
}

function limitKey(
  ctx: Context,
  call: Call,
  { key, route }: { key: ApiKeyActor; route: CheckedRoute | null },
): Promise<void> {
  return limitRate(ctx, call, {
    limitKey: limitKeyOf(key),
    account: route?.isExemptFromAccountLimit ? null : key.accountId,
    ownLimit: key.rateLimitPerMinute,
  });
}

async function limitPerson(
  ctx: Context,
  call: Call,
  { personId, route }: { personId: string; route: CheckedRoute | null },
): Promise<void> {
  if (route?.isExemptFromPersonLimit) return;
  await limitRate(ctx, call, { limitKey: limitKeyOfPerson(personId) });
}

/** @throws ServiceError NOT_FOUND if the account is being deleted, FORBIDDEN */
function refuseForbidden(
  actor: Actor,
  { route, call }: { route: CheckedRoute | null; call: Call },
): void {
  const access = route?.access ?? null;
  if (access === 'provisioner') throw notFound();
  if (actor.kind === 'person' && actor.isAccountDeleted && isAboutAccount(route)) {
    throw accountDeletedError();
  }
  if (access !== null && !isAllowed(actor, access)) throw refusalOf(actor, access);
  if (typeof access === 'object' && actor.kind === 'person') refuseUnprepared(actor);
  if (actor.kind === 'api_key' && actor.isInGrace && route) refuseInGrace(route, call);
}

/**
 * Refuses a token in its grace period on every route that changes keys, before the input is read
 * and before the call counts as a creation. It may repeat its own rotation: whether that is what
 * the call does is decided where the rotation is read.
 */
function refuseInGrace({ access, onRepeat, isCreationLimited }: CheckedRoute, call: Call): void {
  const makesSecret = onRepeat === 'fresh-secret';
  const managesKeys = typeof access === 'object' && access.scope === 'api-keys:manage';
  const rotatesItself = access === 'api-key' && makesSecret;
  if (!managesKeys && !rotatesItself) return;
  const mayBeOwnRotation = makesSecret && !isCreationLimited;
  if (mayBeOwnRotation && call.header('Idempotency-Key') !== undefined) return;
  throw forbidden('old_token');
}

/** Whether a key's call counts towards the calls that its account may have in progress. */
export function needsSlot(
  route: Pick<RouteDefinition, 'isExemptFromAccountLimit'> | null,
): boolean {
  return route !== null && !route.isExemptFromAccountLimit;
}

/**
 * Refuses people who must do something else before they can see or do anything in the account. In
 * the meantime, they can still change things about themselves, such as setting up a second factor.
 */
function refuseUnprepared({ lacksSecondFactor, installationSupport }: PersonActor): void {
  if (lacksSecondFactor) {
    throw forbidden(
      'second_factor',
      'This account requires a second factor. Set one up under Security, and then try again.',
    );
  }
  if (installationSupport?.visit === null) {
    throw forbidden(
      'support_reason',
      'First give a reason for opening this account: reload the page. The account’s owners can see the reason.',
    );
  }
}

/** Whether the route acts in the account, as opposed to on the person in any account. */
function isAboutAccount(route: CheckedRoute | null): boolean {
  return typeof route?.access === 'object' && !route.worksInDeletedAccount;
}

function isAllowed(actor: Actor, access: RouteAccess): boolean {
  if (access === 'api-key') return actor.kind === 'api_key';
  if (access === 'person' || access === 'session') return actor.kind === 'person';
  if (typeof access === 'string') return access === 'public';
  return actor.kind === 'api_key'
    ? access.scope !== null && actor.scopes.includes(access.scope)
    : memberMay(actor, access.act);
}

function refusalOf(actor: Actor, access: RouteAccess): ServiceError {
  const isForMembers = typeof access === 'object';
  if (actor.kind === 'person') {
    return isForMembers ? forbidden('role', refusalAdvice[access.act]) : forbidden('keys_only');
  }
  return isForMembers && access.scope !== null
    ? lacksScope(access.scope)
    : forbidden('people_only');
}
