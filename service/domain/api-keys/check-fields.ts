import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { UpdateApiKeyInput } from '#lib/contract/api-keys/key-inputs.ts';
import { scopeProblems, type KeyType } from '#lib/contract/api-keys/key-types.ts';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/open.ts';
import { accountCallsPerMinute } from '../../limiter/limits.ts';
import type { AccountId } from '../account-id.ts';
import { invalidFields } from '../errors.ts';
import { findMemberNames, type MemberNames } from '../people/members/read-members.ts';
import { findCidrProblems } from './rules.ts';
import type { ApiKeyRow } from './store/keys.ts';

/** The fields of a key with rules that the contract cannot state. */
export type CheckedFields = Pick<
  UpdateApiKeyInput,
  'scopes' | 'allowed_cidrs' | 'expires_at' | 'responsible_id' | 'rate_limit_per_minute'
>;

type Given = {
  accountId: AccountId;
  /** The type of the stored key, by which scopes are judged; null if there is none to judge by. */
  type: KeyType | null;
  fields: CheckedFields;
  expiryAdvice: string;
};

/** Everything that is wrong with these fields, for one response. */
export async function findProblems(
  ctx: Pick<Context, 'config' | 'clock'>,
  db: Db | Tx,
  given: Given,
): Promise<ErrorDetails> {
  return (await readFields(ctx, db, given)).problems;
}

/**
 * The member who becomes responsible for the key; nulls for nobody.
 *
 * @throws ServiceError VALIDATION_ERROR with everything that is wrong with these fields
 */
export async function checkFields(
  ctx: Pick<Context, 'config' | 'clock'>,
  db: Db | Tx,
  given: Given,
): Promise<ResponsibleColumns> {
  const { problems, responsible } = await readFields(ctx, db, given);
  if (Object.keys(problems).length > 0) throw invalidFields(problems);
  return responsible;
}

async function readFields(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  db: Db | Tx,
  { accountId, type, fields, expiryAdvice }: Given,
): Promise<{ problems: ErrorDetails; responsible: ResponsibleColumns }> {
  const problems: ErrorDetails = {};
  const { scopes, expires_at: expiresAt, rate_limit_per_minute: limit } = fields;
  const scopeRefusals = type && scopes !== undefined ? scopeProblems(type, scopes) : [];
  if (scopeRefusals.length > 0) problems['scopes'] = scopeRefusals;
  const cidrs = findCidrProblems(fields.allowed_cidrs ?? []);
  if (cidrs.length > 0) problems['allowed_cidrs'] = cidrs;
  if (expiresAt && new Date(expiresAt) <= clock.now()) problems['expires_at'] = [expiryAdvice];
  const max = accountCallsPerMinute(config);
  if (limit && limit > max) {
    problems['rate_limit_per_minute'] = [
      `Use at most ${max}, the limit per minute for all keys of the account together.`,
    ];
  }
  const responsible = await findResponsible(db, accountId, fields.responsible_id ?? null);
  if (!responsible) problems['responsible_id'] = ['Choose a member of this account, or nobody.'];
  return { problems, responsible: responsible ?? { responsibleId: null, responsibleName: null } };
}

export type ResponsibleColumns = Pick<ApiKeyRow, 'responsibleId' | 'responsibleName'>;

/** The columns of a key's responsible member; nulls: nobody. Null: not a member of the account. */
async function findResponsible(
  db: Db | Tx,
  accountId: AccountId,
  id: string | null,
): Promise<ResponsibleColumns | null> {
  if (id === null) return { responsibleId: null, responsibleName: null };
  const responsibleName = (await findMemberNames(db, accountId, [id])).get(id);
  return responsibleName === undefined ? null : { responsibleId: id, responsibleName };
}

/** The persons responsible for these keys, as far as they belong to the account. */
export async function listResponsibleMembers(
  db: Db | Tx,
  accountId: AccountId,
  keys: readonly ResponsibleColumns[],
): Promise<MemberNames> {
  const ids = new Set(keys.flatMap(({ responsibleId }) => responsibleId ?? []));
  return await findMemberNames(db, accountId, [...ids]);
}

/** The person responsible for a key, as the API shows them. */
export function describeResponsible(
  { responsibleId, responsibleName }: ResponsibleColumns,
  members: MemberNames,
): ApiKey['responsible'] {
  if (responsibleId === null) return null;
  const name = members.get(responsibleId);
  return { id: responsibleId, name: name ?? responsibleName ?? '', is_member: name !== undefined };
}
