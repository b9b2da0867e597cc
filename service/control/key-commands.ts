import { randomBytes } from 'node:crypto';
import { dayMs } from '#lib/durations.ts';
import { apiKeyTokens } from '../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../db/schema/api-keys/api-keys.ts';
import type { Control } from 'conversation-service-playwright-kit';
import type { ControlledContext } from './controlled-context.ts';

type KeyCommands = Pick<Control, 'addRevokedKeys' | 'addActiveKeys'>;

/** The commands that add many keys together. */
export function keyCommandsFor(ctx: ControlledContext): KeyCommands {
  return {
    async addRevokedKeys({ accountId, names }) {
      const by = { kind: 'system', id: null, name: 'Suite' } as const;
      const now = ctx.clock.now().getTime();
      const at = (index: number) => new Date(now - (names.length - index) * 1000);
      const made = await ctx.db
        .insert(apiKeys)
        .values(
          names.map((name, index) => ({
            accountId,
            name,
            type: 'bot' as const,
            createdAt: at(index),
            createdBy: by,
            updatedAt: at(index),
            revokedAt: at(index),
            revokedBy: by,
          })),
        )
        .returning();
      await ctx.db.insert(apiKeyTokens).values(
        made.map(({ id, createdAt }) => ({
          accountId,
          apiKeyId: id,
          digest: randomBytes(32),
          lastFour: 'Used',
          createdAt,
          createdBy: by,
        })),
      );
    },

    async addActiveKeys({ accountId, names, tokensEach }) {
      const by = { kind: 'person', id: 'suite', name: 'Suite' } as const;
      const at = ctx.clock.now();
      const later = new Date(at.getTime() + 7 * dayMs);
      const made = await ctx.db
        .insert(apiKeys)
        .values(
          names.map((name) => ({
            accountId,
            name,
            type: 'bot' as const,
            createdAt: at,
            createdBy: by,
            updatedAt: at,
          })),
        )
        .returning();
      await ctx.db.insert(apiKeyTokens).values(
        made.flatMap(({ id }) =>
          Array.from({ length: tokensEach }, (_, index) => ({
            accountId,
            apiKeyId: id,
            digest: randomBytes(32),
            lastFour: 'Used',
            createdAt: new Date(at.getTime() - (tokensEach - index) * 1000),
            createdBy: by,
            firstUsedAt: at,
            validUntil: index === tokensEach - 1 ? null : later,
          })),
        ),
      );
    },
  };
}
