import { eq } from 'drizzle-orm';
import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../context.ts';
import { apiKeyTokens } from '../../db/schema/api-keys/api-key-tokens.ts';
import { digestToken, newToken } from '../../tokens/token.ts';
import type { TestAccount, TestKey } from '../api.ts';
import { lastFour } from './tokens.ts';

/**
 * A key after several rotations, with so many valid tokens, oldest first. All were used except the
 * oldest and, if told so, the newest, which is then unconfirmed.
 */
export async function keyWithTokens(
  ctx: Pick<Context, 'db' | 'clock'>,
  account: TestAccount,
  { count, isNewestUnconfirmed = false }: { count: number; isNewestUnconfirmed?: boolean },
): Promise<{ key: TestKey; tokens: string[] }> {
  const key = await account.key();
  const now = ctx.clock.now();
  const inADay = new Date(now.getTime() + dayMs);
  const ofKey = eq(apiKeyTokens.apiKeyId, key.id);
  const [oldest] = await ctx.db
    .update(apiKeyTokens)
    .set({ validUntil: inADay })
    .where(ofKey)
    .returning();
  if (!oldest) throw new Error('a new key has no token');
  const { id: _, ...row } = oldest;
  const tokens = [key.token, ...Array.from({ length: count - 1 }, newToken)];
  await ctx.db.insert(apiKeyTokens).values(
    tokens.slice(1).map((each, index) => {
      const isNewest = index === count - 2;
      const isUnconfirmed = isNewest && isNewestUnconfirmed;
      const usedAt = isUnconfirmed ? null : now;
      return {
        ...row,
        digest: digestToken(each),
        lastFour: lastFour(each),
        validUntil: isNewest ? null : inADay,
        unconfirmedSince: isUnconfirmed ? now : null,
        firstUsedAt: usedAt,
        lastUsedAt: usedAt,
      };
    }),
  );
  return { key, tokens };
}
