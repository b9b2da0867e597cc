import { describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { claimTokenMail, listUnmailedTokens } from '../store/keys-to-mail-about.ts';
import { findTokenByDigest, replaceUnusedTokenRow } from '../store/tokens.ts';
import { digestToken } from '../../../tokens/token.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, account } = useApi();

type Made = { id: number; token: string };

describe('an email that was found to be due is not sent', () => {
  test.each([
    ['if the token was replaced', replaceToken],
    ['if its key was revoked', revokeKey],
  ])('%s', async (_, happen) => {
    const made = await account.key();
    ctx.clock.advance(dayMs);
    const now = ctx.clock.now();
    const due = { shownBefore: new Date(now.getTime() - dayMs), now };
    const tokenId = (await listUnmailedTokens(ctx.db, due)).at(-1);
    if (tokenId === undefined) throw new Error('no email is due');
    await happen(made);
    expect(await claimTokenMail(ctx.db, tokenId, due)).toBeNull();
  });
});

async function replaceToken({ token }: Made): Promise<void> {
  const found = await findTokenByDigest(ctx.db, digestToken(token));
  if (!found) throw new Error('no such token');
  const { shownTo } = found.token;
  const digest = digestToken('in its place');
  const now = ctx.clock.now();
  const shown = { lastFour: 'lace', shownTo, unconfirmedSince: now };
  await ctx.db.transaction(
    async (tx) =>
      await replaceUnusedTokenRow(tx, found.token, { digest, replacedUnusedAt: now, ...shown }),
  );
}

async function revokeKey({ id }: Made): Promise<void> {
  const caller = await account.key();
  const response = await caller.delete(`/api/v1/api-keys/${id}`);
  expect(response.status).toBeLessThan(300);
}
