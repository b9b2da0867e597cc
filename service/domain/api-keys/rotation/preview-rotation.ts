import type { z } from 'zod';
import type { RotationPreview, rotationInput } from '#lib/contract/api-keys/rotation.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { decideRotation } from './decide-rotation.ts';
import { withLockedApiKey } from '../locked/with-locked-api-key.ts';

/**
 * What a rotation would do to each valid token of a key, newest first. Changes nothing.
 * @throws ServiceError as `rotateApiKey` would
 */
export async function previewRotation(
  ctx: Context,
  actor: Actor,
  input: { apiKey: string } & z.output<typeof rotationInput>,
): Promise<RotationPreview> {
  const { tokenOutcomes } = await withLockedApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: 'api-keys.rotate',
    work: (locked) => decideRotation(ctx, actor, { ...locked, input }),
  });
  return {
    tokens: tokenOutcomes.map(({ token, validUntil }) => ({
      last_four: token.lastFour,
      valid_until: validUntil && formatApiTime(validUntil),
      ends_now: validUntil === null,
    })),
  };
}
