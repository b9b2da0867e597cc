import { and, desc, eq, gte, lt, min, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import { rowsFrom } from '../../../db/statements/rows-from.ts';
import {
  apiKeyTokens,
  tokenAddresses,
  tokenCalls,
} from '../../../db/schema/api-keys/api-key-tokens.ts';
import type { AccountId } from '../../account-id.ts';
import { apiKeyChangedChannel } from './keys.ts';

/** The uses of a token since the last batch, as the next batch writes them. */
export type TokenUse = {
  tokenId: number;
  digest: Buffer;
  /** The latest use. */
  at: Date;
  ip: string;
  userAgent: string | null;
  /** Each address it was used from, in the canonical spelling of `canonicalAddress`. */
  addresses: readonly { address: string; at: Date }[];
};

const tokenUseColumns = {
  id: 'int',
  digest: 'bytea',
  at: 'timestamptz',
  ip: 'text',
  agent: 'text',
};
const addressColumns = { id: 'int', address: 'text', at: 'timestamptz' };

/**
 * Writes the latest use of many tokens and their addresses, in one statement. A
 * later use that is already stored stays, unless it lies in the future: then the clock was set
 * back. Token rows are locked in id order. Every process is notified of a first use, because it
 * confirms the token. If the token was replaced in its row in the meantime, the use is not counted
 * for the new one.
 */
export async function recordTokenUses(
  db: Db | Tx,
  { uses, now }: { uses: readonly TokenUse[]; now: Date },
): Promise<void> {
  if (uses.length === 0) return;
  const rows = uses.map(({ tokenId, digest, at, ip, userAgent }) => ({
    id: tokenId,
    digest,
    at,
    ip,
    agent: userAgent,
  }));
  const addresses = uses.flatMap((use) =>
    use.addresses.map((usedFrom) => ({ id: use.tokenId, ...usedFrom })),
  );
  await db.execute(sql`
    with used as materialized ${rowsFrom(rows, tokenUseColumns)},
    locked as (
      select t.id, t.account_id, t.first_used_at is null as is_first from ${apiKeyTokens} as t
      join used on used.id = t.id and used.digest = t.digest
      -- For a few ids in an array, tokens are found by their index (see idsIn of lanes).
      where t.id = any (array(select id from used))
      order by t.id for update of t
    ), seen as (
      insert into ${tokenAddresses} as known (account_id, token_id, address, last_used_at)
      select locked.account_id, locked.id, used_from.address, used_from.at
      from locked join ${rowsFrom(addresses, addressColumns)} as used_from using (id)
      on conflict (account_id, token_id, address)
      do update set last_used_at = greatest(known.last_used_at, excluded.last_used_at)
    )
    update ${apiKeyTokens} as t
    set first_used_at = coalesce(t.first_used_at, u.at),
        last_used_at = u.at, last_used_ip = u.ip, last_used_agent = u.agent
    from locked join used as u using (id)
    where t.id = locked.id and (
      t.last_used_at is null or t.last_used_at < u.at
      or t.last_used_at > ${sqlInstant(now)}
    )
    returning case when locked.is_first
      then pg_notify(${apiKeyChangedChannel}, t.api_key_id::text)::text end`);
}

/** The calls with each token of an account since two moments. Tokens without calls are left out. */
export async function listTokenCalls(
  db: Db | Tx,
  accountId: AccountId,
  { hourFrom, dayFrom }: { hourFrom: Date; dayFrom: Date },
): Promise<{ tokenId: number; inHour: number; inDay: number }[]> {
  return await db
    .select({
      tokenId: tokenCalls.tokenId,
      inHour: sql`coalesce(sum(${tokenCalls.calls})
        filter (where ${tokenCalls.hour} >= ${sqlInstant(hourFrom)}), 0)`.mapWith(Number),
      inDay: sql`sum(${tokenCalls.calls})`.mapWith(Number),
    })
    .from(tokenCalls)
    .where(and(eq(tokenCalls.accountId, accountId), gte(tokenCalls.hour, dayFrom)))
    .groupBy(tokenCalls.tokenId);
}

/** The first hour for which any call of any account is still counted; null if there is none. */
export async function findFirstCountedHour(db: Db | Tx): Promise<Date | null> {
  const [row] = await db.select({ first: min(tokenCalls.hour) }).from(tokenCalls);
  return row?.first ?? null;
}

/** The tokens of an account that were used from a network. @param network in CIDR notation */
export async function listTokensUsedFrom(
  db: Db | Tx,
  accountId: AccountId,
  network: string,
): Promise<number[]> {
  const rows = await db
    .selectDistinct({ tokenId: tokenAddresses.tokenId })
    .from(tokenAddresses)
    .where(
      and(
        eq(tokenAddresses.accountId, accountId),
        sql`${tokenAddresses.address}::inet <<= ${network}::inet`,
      ),
    );
  return rows.map(({ tokenId }) => tokenId);
}

/** Removes up to `limit` addresses last used before a moment, of all accounts. @returns how many */
export async function deleteTokenAddresses(db: Db, before: Date, limit: number): Promise<number> {
  const some = db
    .select(addressName)
    .from(tokenAddresses)
    .where(lt(tokenAddresses.lastUsedAt, before))
    .limit(limit)
    .for('update', { skipLocked: true });
  return await deleteAddressRows(db, some);
}

type Token = { accountId: string; tokenId: number };

/** The tokens of all accounts that were used from more than `max` addresses. */
export async function listTokensWithTooManyAddresses(db: Db, max: number): Promise<Token[]> {
  return await db
    .select({ accountId: tokenAddresses.accountId, tokenId: tokenAddresses.tokenId })
    .from(tokenAddresses)
    .groupBy(tokenAddresses.accountId, tokenAddresses.tokenId)
    .having(sql`count(*) > ${max}`);
}

/** Removes up to `limit` addresses of a token beyond the `max` used last. @returns how many */
export async function deleteAddressesBeyond(
  db: Db,
  { accountId, tokenId, max }: Token & { max: number },
  limit: number,
): Promise<number> {
  const some = db
    .select(addressName)
    .from(tokenAddresses)
    .where(columnsEqual(tokenAddresses, { accountId, tokenId }))
    .orderBy(desc(tokenAddresses.lastUsedAt), tokenAddresses.address)
    .offset(max)
    .limit(limit);
  return await deleteAddressRows(db, some);
}

const addressName = {
  accountId: tokenAddresses.accountId,
  tokenId: tokenAddresses.tokenId,
  address: tokenAddresses.address,
};

async function deleteAddressRows(db: Db, some: { getSQL(): ReturnType<typeof sql> }) {
  const removed = await db
    .delete(tokenAddresses)
    .where(sql`(account_id, token_id, address) in ${some}`)
    .returning({ tokenId: tokenAddresses.tokenId });
  return removed.length;
}
