import type { Context } from '../../context.ts';
import type { Actor, ApiKeyActor, Provisioner, SignedInPerson } from '../../domain/actor.ts';
import { authenticateToken } from '../../domain/api-keys/tokens/authenticate-token.ts';
import type { UsedToken } from '../../domain/api-keys/tokens/authenticate-token.ts';
import { isTokenValid } from '../../domain/api-keys/rules.ts';
import { ServiceError } from '../../domain/errors.ts';
import { refuseOverLimit } from '../../domain/refuse-over-limit.ts';
import { authenticateProvisioner } from '../../domain/people/provisioning/provisioners.ts';
import { findPerson } from '../../domain/people/sessions/find-person.ts';
import { subscriberOf } from '../../network/networks.ts';
import { areEqualInConstantTime } from '../../secrets/are-equal-in-constant-time.ts';
import { provisionerPrefix } from '../../tokens/token.ts';
import { storedUserAgent } from '../call.ts';
import type { Call } from '../call.ts';
import { MissingKeyError } from '../errors/error-response.ts';

/**
 * The caller of a request.
 *
 * - `actor`: an API key with the token it used, or a person for whom the dashboard's server calls.
 * - `not_a_member`: a signed-in person who asks for an account that does not exist, that they
 *   cannot open, that is being deleted and that they do not own, or that an owner closed while they
 *   had it open as installation support.
 * - `of_no_account`: a signed-in person who belongs to no account.
 * - `dashboard`: the dashboard's server without a person, such as before sign-in.
 * - `provisioner`: a test suite, which creates accounts of its own.
 * - `address_not_allowed`: a valid key, used from outside its networks.
 */
type Authenticated =
  | { kind: 'actor'; actor: Actor; sessionToken: string | null; token?: UsedToken }
  | { kind: 'not_a_member'; personId: string; deletedAt: Date | null; closedAt: Date | null }
  | { kind: 'of_no_account'; person: SignedInPerson; sessionToken: string }
  | { kind: 'dashboard' }
  | { kind: 'provisioner'; provisioner: Provisioner }
  | { kind: 'address_not_allowed'; actor: ApiKeyActor };

/**
 * Reads `Authorization: Bearer` (RFC 6750, 2.1; never the query string or a cookie) and determines
 * the caller.
 *
 * The dashboard's server calls with the dashboard credential and, in `X-Dashboard-Session`, the
 * session of the person; the service looks that session up itself. `X-Dashboard-Account` names the
 * account of the page, by UUID. Whether the person is a member is read on each call; without the
 * header, the account of the session is used. `X-Dashboard-Client` contains `<address> <user
 * agent>` of the browser. These headers are read on such calls only.
 *
 * @param options.needsSlot whether a call of a key counts towards the calls that its account may have
 *   in progress
 * @throws MissingKeyError, ServiceError UNAUTHORIZED, UNAVAILABLE, or RATE_LIMIT_EXCEEDED if an
 *   address fails too often; a valid key behind the same address is never refused for that.
 */
export async function authenticate(
  ctx: Context,
  call: Call,
  { needsSlot }: { needsSlot: boolean },
): Promise<Authenticated> {
  const token = bearerToken(call.header('Authorization'));
  if (token === null) return await refuse(ctx, call, new MissingKeyError());
  if (isDashboard(ctx, token)) return await authenticateDashboard(ctx, call);
  if (token.startsWith(provisionerPrefix)) {
    const provisioner = await authenticateProvisioner(ctx, token);
    if (!provisioner) return await refuse(ctx, call, new ServiceError('UNAUTHORIZED'));
    call.caller = { accountId: null, name: `provisioner:${provisioner.provisionerId}` };
    return { kind: 'provisioner', provisioner };
  }

  const verdict = await authenticateToken(ctx, { token, origin: call.origin, needsSlot });
  if (verdict.kind === 'refused') {
    if (verdict.refusedToken) {
      const { key, token: refused } = verdict.refusedToken;
      const { id: tokenId, lastFour: detail } = refused;
      const isValid = isTokenValid(verdict.refusedToken, ctx.clock.now());
      const problem = isValid ? 'key_paused' : 'token_ended';
      call.key = { accountId: key.accountId, apiKeyId: key.id, tokenId, problem, detail };
    }
    return await refuse(ctx, call, new ServiceError('UNAUTHORIZED'));
  }
  const { accountId, keyId, tokenId } = verdict.actor;
  call.caller = { accountId, name: `key:${keyId}` };
  const problem = verdict.kind === 'address_not_allowed' ? 'network' : null;
  call.key = { accountId, apiKeyId: keyId, tokenId, problem, detail: '' };
  return verdict.kind === 'actor' ? { ...verdict, sessionToken: null } : verdict;
}

async function authenticateDashboard(ctx: Context, call: Call): Promise<Authenticated> {
  const origin = { ...call.origin, ...readBrowser(call.header('X-Dashboard-Client')) };
  call.origin = origin;
  const sessionToken = call.header('X-Dashboard-Session');
  if (!sessionToken) return { kind: 'dashboard' };
  const account = call.header('X-Dashboard-Account');
  const person = await findPerson(ctx, { sessionToken, origin, account });
  if (!person) throw new ServiceError('UNAUTHORIZED');
  if (person.kind === 'stranger') {
    call.caller = { accountId: null, name: `person:${person.personId}` };
    return { ...person, kind: 'not_a_member' };
  }
  const { accountId, personId } = person.kind === 'actor' ? person.actor : person.person;
  call.caller = { accountId, name: `person:${personId}` };
  return { ...person, sessionToken };
}

async function refuse(ctx: Context, call: Call, error: Error): Promise<never> {
  const { ip } = call.origin;
  await refuseOverLimit(ctx, [{ limit: 'failed-authentication', key: subscriberOf(ip), from: ip }]);
  throw error;
}

const maxCredentialLength = 4096;

function bearerToken(header: string | undefined): string | null {
  // A token that is too long is invalid, whether or not it is cut.
  const match = /^bearer +(\S.*)$/i.exec((header ?? '').slice(0, maxCredentialLength));
  return match?.[1]?.trimEnd() ?? null;
}

function isDashboard(ctx: Context, token: string): boolean {
  if (ctx.dashboardCredential === null) return false;
  // All credentials have this length, so comparing it reveals nothing.
  if (token.length !== ctx.dashboardCredential.length) return false;
  return areEqualInConstantTime(Buffer.from(token), Buffer.from(ctx.dashboardCredential));
}

/** The address and the user agent of the browser for which the dashboard calls. */
function readBrowser(header: string | undefined): { ip?: string; userAgent?: string | null } {
  if (!header) return {};
  const space = header.indexOf(' ');
  if (space < 0) return { ip: header, userAgent: null };
  return { ip: header.slice(0, space), userAgent: storedUserAgent(header.slice(space + 1)) };
}
