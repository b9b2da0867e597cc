import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import { mayBeShown } from '#lib/contract/api-keys/ceiling.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { canSeeAllRequests } from '#lib/contract/api-keys/can-see-all-requests.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import type {
  FoundIn,
  FoundKey,
  FoundKeyDetails,
} from '#lib/contract/support-desk/support-desk.ts';
import { formatApiTime } from '#lib/time.ts';
import {
  hasEnded,
  isExpired,
  isUnconfirmed,
  scopesOfKey,
  tokenValidUntil,
} from '../api-keys/rules.ts';
import type { Searcher } from './rules.ts';
import type { FoundAccountRow } from './store/accounts.ts';
import type { FoundKeyRow, FoundTokenRow } from './store/keys.ts';

export function describeFoundAccount(row: FoundAccountRow): FoundIn {
  const { accountId: id, accountName: name, role, needsReason } = row;
  return { id, name, role, needs_reason: needsReason };
}

/** What identifies a result, and its details unless a reason must be given first. */
export function describeFound<Item extends object, Details>(
  access: FoundAccountRow,
  item: Item,
  detailsOf: () => Details,
) {
  return {
    account: describeFoundAccount(access),
    ...item,
    details: access.needsReason ? null : detailsOf(),
  };
}

type KeyContext = {
  /** All tokens of the key, newest first. */
  tokens: readonly FoundTokenRow[];
  /** Open rotation requests, also of other keys. */
  requests: readonly RotationRequest[];
  /** The last four characters that were searched for; null if none were. */
  lastFour: string | null;
  searcher: Searcher;
};

/** A key as the support desk shows it: no more than its line in the account's list of keys. */
export function describeKey(key: FoundKeyRow, context: KeyContext): FoundKey {
  const { id, uuid, name } = key;
  return describeFound(key.access, { id, uuid, name }, () => describeDetails(key, context));
}

function describeDetails(
  key: FoundKeyRow,
  { tokens, requests, lastFour, searcher: { personId, now } }: KeyContext,
): FoundKeyDetails {
  const [newest, ...older] = tokens;
  if (!newest) throw new Error(`API key ${key.id} has no token`);
  const isEnded = hasEnded(key, now);
  const [previous] = isEnded
    ? []
    : older.filter(({ validUntil }) => validUntil !== null && validUntil > now);
  const rotatingUntil = previous ? tokenValidUntil(previous, key.expiresAt) : null;
  const lastUse = tokens.reduce<FoundTokenRow | null>(
    (latest, token) => (useOf(token) > useOf(latest) ? token : latest),
    null,
  );
  const may = isEnded ? 'nothing' : mayWith(key);
  return {
    last_four: newest.lastFour,
    older_last_four: olderMatch(tokens, lastFour),
    status: statusOf(key, { now, isRotating: rotatingUntil !== null }),
    unconfirmed: isEnded || !isUnconfirmed(newest) ? null : { was_shown: newest.shownTo !== null },
    rotating_until: rotatingUntil && formatApiTime(rotatingUntil),
    revoked_at: key.revokedAt && formatApiTime(key.revokedAt),
    revoked_by: key.revokedBy?.name ?? null,
    last_used_at: lastUse?.lastUsedAt ? formatApiTime(lastUse.lastUsedAt) : null,
    last_used_ip: lastUse?.lastUsedIp ?? null,
    expires_at: key.expiresAt && formatApiTime(key.expiresAt),
    may,
    open_request: may === 'request' ? describeOpenRequest(key, { requests, personId }) : null,
  };
}

function useOf(token: FoundTokenRow | null): number {
  return token?.lastUsedAt?.getTime() ?? 0;
}

function olderMatch([newest, ...older]: readonly FoundTokenRow[], lastFour: string | null) {
  if (lastFour === null) return null;
  const isLike = (token: FoundTokenRow) => token.lastFour.toLowerCase() === lastFour.toLowerCase();
  if (newest && isLike(newest)) return null;
  return older.find(isLike)?.lastFour ?? null;
}

function statusOf(
  key: FoundKeyRow,
  { now, isRotating }: { now: Date; isRotating: boolean },
): FoundKeyDetails['status'] {
  if (key.revokedAt) return 'revoked';
  if (isExpired(key, now)) return 'expired';
  if (key.pausedAt) return 'paused';
  return isRotating ? 'rotating' : 'active';
}

/** What the person may do with an active key, by the rules with which the service decides. */
function mayWith(key: FoundKeyRow): FoundKeyDetails['may'] {
  const rights = rightsIn(key.access);
  if (!mayAct(rights.role, 'api-keys.rotate')) return 'nothing';
  return mayBeShown(rights, scopesOfKey(key)) ? 'rotate' : 'request';
}

/** One that the person may see, if there is one: the same people as on the page of a request. */
function describeOpenRequest(
  key: FoundKeyRow,
  { requests, personId }: { requests: readonly RotationRequest[]; personId: string },
): FoundKeyDetails['open_request'] {
  const open = requests.filter((request) => request.target.uuid === key.uuid);
  if (open.length === 0) return null;
  const seen = canSeeAllRequests(rightsIn(key.access).role)
    ? open[0]
    : open.find(
        ({ requested_by: requester, member, reason }) =>
          reason === 'leaked' || [requester.id, member.id].includes(personId),
      );
  return { uuid: seen?.uuid ?? null };
}

/** What the person may do in an account of which something was found. */
export function rightsIn(row: FoundAccountRow): MemberRights {
  if (row.role !== null) {
    return {
      role: row.role,
      support: {
        tokens: row.supportTokens,
        payloads: row.supportPayloads,
        error_texts: row.supportErrorTexts,
      },
    };
  }
  return {
    role: 'support',
    support: {
      tokens: row.installationSupportTokens,
      payloads: row.installationSupportPayloads,
      error_texts: row.installationSupportErrorTexts,
    },
  };
}
