import type {
  IncidentKey,
  IncidentKeyFilters,
  IncidentKeys,
  KeyCreator,
} from '#lib/contract/api-keys/incidents/incident-keys.ts';
import { minuteMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { describeResponsible, listResponsibleMembers } from '../input/responsible-person.ts';
import type { MemberNames } from '../../people/members/find-member-names.ts';
import { isRotated, lastUsedToken } from '../rules.ts';
import type { ApiKeyWithTokens } from '../store/keys-with-tokens.ts';
import type { TokenRow } from '../store/tokens.ts';
import { chooseKeys, creatorOf } from './choose-keys.ts';
import { countCalls } from './count-calls.ts';
import type { CallCounts } from './count-calls.ts';
import { listActiveKeys } from './list-active-keys.ts';

/** A key that made a call so recently is in use. */
const inUseMs = 5 * minuteMs;

/**
 * The active keys that an incident may be about, and how much each is used.
 *
 * @throws ServiceError VALIDATION_ERROR on `address`
 */
export async function listIncidentKeys(
  ctx: Context,
  actor: PersonActor,
  filters: IncidentKeyFilters,
): Promise<IncidentKeys> {
  const { accountId } = actor;
  const { counted, callsWith } = await countCalls(ctx, accountId);
  const active = await listActiveKeys(ctx, accountId);
  const chosen = await chooseKeys(ctx, accountId, { keys: active, filters });
  const members = await listResponsibleMembers(
    ctx.db,
    accountId,
    chosen.map(({ key }) => key),
  );
  const now = ctx.clock.now();
  return {
    keys: chosen.map((each) => describeKey(each, { callsWith, members, now })),
    creators: creatorsOf(active),
    live_keys: active.length,
    counted,
  };
}

function describeKey(
  { key, tokens }: ApiKeyWithTokens,
  {
    callsWith,
    members,
    now,
  }: { callsWith: CallCounts['callsWith']; members: MemberNames; now: Date },
): IncidentKey {
  const [newest] = tokens;
  if (!newest) throw new Error(`API key ${key.id} has no token`);
  const latest = lastUsedToken(tokens);
  const { perHour, lastDay } = callsWith(tokens);
  return {
    uuid: key.uuid,
    name: key.name,
    last_four: newest.lastFour,
    type: key.type,
    created_at: formatApiTime(key.createdAt),
    created_by: key.createdBy,
    rotated_at: isRotated({ key, tokens }) ? formatApiTime(newest.createdAt) : null,
    responsible: describeResponsible(key, members),
    last_used_at: latest?.lastUsedAt ? formatApiTime(latest.lastUsedAt) : null,
    last_used_ip: latest?.lastUsedIp ?? null,
    live_tokens: tokens.length,
    is_in_use: isInUse(tokens, now),
    calls_per_hour: perHour,
    calls_last_day: lastDay,
  };
}

/** Whether one of the tokens made a call a moment ago. */
export function isInUse(tokens: readonly TokenRow[], now: Date): boolean {
  const at = lastUsedToken(tokens)?.lastUsedAt;
  return at ? now.getTime() - at.getTime() <= inUseMs : false;
}

/** Each creator once, by name, under the name of their newest key. */
function creatorsOf(keys: readonly ApiKeyWithTokens[]): KeyCreator[] {
  const byCreator = Map.groupBy(keys, ({ key }) => creatorOf(key.createdBy));
  return [...byCreator]
    .flatMap(([creator, [first, ...others]]) =>
      first ? [{ creator, ...nameOf(first), keys: others.length + 1 }] : [],
    )
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

function nameOf({ key: { createdBy } }: ApiKeyWithTokens) {
  return { name: createdBy.name, kind: createdBy.kind };
}
