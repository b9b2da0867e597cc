import type { RequestObstacle } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { Tx } from '../db/open.ts';
import type { ActorReference } from '../db/schema/columns.ts';
import type { AccountId } from './account-id.ts';
import type { Actor, OperatorActor, Origin } from './actor.ts';

type Row = { accountId: string; id: number; name: string };

/** A token, with the time at which it replaced an unused one, if it did; or a signing secret. */
export type DatedToken = { createdAt: Date; replacedUnusedAt: Date | null };

/** A key that someone changed, locked. */
export type KeyChange = { actor: Actor | OperatorActor; key: Row; now: Date };

/** A key of which tokens ended. `validTokens`: those that stay valid, without a new one. */
export type TokensEnded = KeyChange & { validTokens: readonly DatedToken[] };

/** A webhook that a member or a key changed, locked. */
export type WebhookChange = { actor: Actor; webhook: Row; now: Date };

/** A person who can no longer open an account. `because`: of the requests that they made. */
export type AccessEnded = {
  accountId: AccountId;
  personId: string;
  because: Extract<RequestObstacle, 'requester_left' | 'closed_to_support'>;
  by: ActorReference;
  origin: Origin | null;
  now: Date;
};

/** The changes that have effects in other nouns, and what each effect is told. */
type Changes = {
  /** The token of the key is INIT_API_KEY, or was made for a provisioner. */
  accountCreatedWithKey: { accountId: AccountId; token: string; by: ActorReference; now: Date };
  accountDeleted: { accountId: AccountId };
  accountRestored: { accountId: AccountId; deletedAt: Date; now: Date };
  memberRemoved: AccessEnded;
  /** Someone of installation support can no longer open an account. */
  supportEnded: AccessEnded;
  /** `fulfilledUuid`: of the rotation request for which its named member rotated the key. */
  keyRotated: TokensEnded & { fulfilledUuid: string | null };
  keyRevoked: KeyChange;
  /** An older token was ended, or an unused one was replaced. */
  tokensEnded: TokensEnded;
  /** `rotatedAt`: when each of the undone rotations made its token. */
  rotationUndone: KeyChange & { rotatedAt: readonly Date[] };
  webhookCreated: { webhook: { accountId: string; id: number; isActive: boolean } };
  /** By a member or a key, or because its receiver failed for too long or is gone. */
  webhookPaused: { webhook: Row };
  webhookResumed: WebhookChange;
  webhookUrlChanged: { webhook: Row };
  webhookSecretRegenerated: WebhookChange;
  /** An older secret ended before its grace period was over. */
  webhookSecretEnded: { webhook: Row };
  /** Before its row is deleted. */
  webhookDeleted: WebhookChange;
};

/** What another noun does because of a change, in the transaction of the change. */
type Effect<Change> = (tx: Tx, change: Change) => Promise<void>;

/**
 * What each change brings about in nouns that come after the changed one in the order of nouns,
 * which the verb that changes therefore does not know. The lists are in `service/boot/effects.ts`.
 */
export type Effects = { readonly [Name in keyof Changes]: readonly Effect<Changes[Name]>[] } & {
  /** After the commit of a deletion. */
  readonly afterAccountDeleted: readonly ((
    ctx: { keyCache: { evictAccount: (accountId: AccountId) => void } },
    change: { accountId: AccountId },
  ) => void)[];
};

/** Runs the effects of a change in their order. */
export async function runEffects<Change>(
  tx: Tx,
  effects: readonly Effect<Change>[],
  change: Change,
): Promise<void> {
  for (const effect of effects) await effect(tx, change);
}
