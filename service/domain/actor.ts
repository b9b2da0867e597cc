import type { MemberRights } from '#lib/contract/member-rights.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import type { ActorReference } from '../db/schema/columns.ts';
import type { AccountId } from './account-id.ts';

/** Where a request came from, for audit entries. */
export type Origin = { ip: string; userAgent: string | null; requestId: string };

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
  /** The key's own limit of calls; null if it has none. */
  rateLimitPerMinute: number | null;
  /** When the token used stops being valid: its grace's end or the key's expiry. */
  endsAt: Date | null;
};

/** A request somebody who is signed in makes through the dashboard, a member of an account or of none. */
export type SignedInPerson = {
  /** The account they act in; null: they belong to none. */
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
    /** Set for somebody who is no member, but supports every account that allows it. */
    installationSupport?: {
      /** Whether they gave a reason, in this session and lately. Else they read and change nothing. */
      hasOpenVisit: boolean;
    };
    /** Set in an account that is being deleted, which only its owners find. */
    isAccountDeleted?: true;
    /** Set if the account requires a second factor and they have none. */
    lacksSecondFactor?: true;
  };

export type Actor = ApiKeyActor | PersonActor;

/** How records name this actor. */
export function actorReference(actor: Actor): ActorReference {
  return actor.kind === 'api_key'
    ? { kind: 'api_key', id: actor.keyUuid, name: actor.keyName }
    : { kind: 'person', id: actor.personId, name: actor.personName };
}

/** What limits call this actor. Unique beyond the database: other installations may count in the same Redis. */
export function callerName(actor: Actor): string {
  return actor.kind === 'api_key' ? `key:${actor.keyUuid}` : personCallerName(actor.personId);
}

/** The same of a person in whichever account. */
export function personCallerName(personId: string): string {
  return `person:${personId}`;
}
