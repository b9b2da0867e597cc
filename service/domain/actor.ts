import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import type { ActorReference } from '../db/schema/columns.ts';
import type { AccountId } from './account-id.ts';

/** Where a request came from, for audit entries. */
export type Origin = {
  ip: string;
  userAgent: string | null;
  requestId: string;
  /** The span of the request, if traces are recorded. */
  traceParent?: string;
};

/** A request made with an API key. */
export type ApiKeyActor = {
  kind: 'api_key';
  accountId: AccountId;
  origin: Origin;
  keyId: number;
  keyUuid: string;
  keyName: string;
  tokenId: number;
  /** Effective scopes. */
  scopes: readonly Scope[];
  rateLimitPerMinute: number | null;
  /** When the call's token stops being valid: the end of its grace period, or the key's expiry. */
  endsAt: Date | null;
  /** Whether a rotation replaced the token, which stays valid for a while. */
  isInGrace: boolean;
};

/** A request that a signed-in person makes through the dashboard. They may belong to no account. */
export type SignedInPerson = {
  /** The account they act in; null if they belong to none. */
  accountId: AccountId | null;
  origin: Origin;
  personId: string;
  personName: string;
  email: string;
  /** When the person last proved who they are. */
  provedAt: Date;
  /** Set for a session token that was replaced a moment ago (`renewSession`). */
  mayOnlyRead?: true;
};

/** A request that a member, or installation support, makes through the dashboard. */
export type PersonActor = SignedInPerson &
  MemberRights & {
    kind: 'person';
    accountId: AccountId;
    /** Set for installation support, who are not members of the account. */
    installationSupport?: {
      /** Null unless a reason given in this session still counts: then they can do nothing. */
      visit: { reason: string; endsAt: Date } | null;
    };
    /** Set if the account is being deleted. Only its owners can still open it. */
    isAccountDeleted?: true;
    /** Set if the account requires a second factor and they have none. */
    lacksSecondFactor?: true;
  };

export type Actor = ApiKeyActor | PersonActor;

/** A credential with which a test suite creates accounts of its own. It can do nothing else. */
export type Provisioner = { provisionerId: string; provisionerName: string };

/** An operator, who acts at the terminal and not by a request. */
export type OperatorActor = { kind: 'system'; accountId: AccountId; origin: null; name: string };

/** How records name this actor. */
export function actorReference(actor: Actor | OperatorActor): ActorReference {
  if (actor.kind === 'system') return { kind: 'system', id: null, name: actor.name };
  return actor.kind === 'api_key'
    ? { kind: 'api_key', id: actor.keyUuid, name: actor.keyName }
    : { kind: 'person', id: actor.personId, name: actor.personName };
}

/** How limits count this actor: unique across installations, which may share one Redis. */
export function limitKeyOf(actor: Actor): string {
  return actor.kind === 'api_key' ? `key:${actor.keyUuid}` : limitKeyOfPerson(actor.personId);
}

/** The same for a person, in any account. */
export function limitKeyOfPerson(personId: string): string {
  return `person:${personId}`;
}
