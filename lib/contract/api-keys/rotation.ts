import { z } from 'zod';
import { hourSeconds } from '#lib/durations.ts';
import { gracePeriodSeconds, lastFourFrom, timestamp } from '../fields/fields.ts';
import { defaultGraceSeconds } from '../fields/grace-period.ts';
import { secret } from '../fields/secret.ts';
import { sampleRotation, sampleRotationPreview } from '../samples.ts';

export const token = secret(
  z
    .string()
    .regex(/^sk_live_[0-9A-Za-z]{38}$/)
    .describe('The new token. No other response contains it: save it now.'),
);

/** How to rotate. */
export const rotationInput = z.strictObject({
  grace_period_seconds: gracePeriodSeconds
    .optional()
    .describe(
      `For how many seconds the newest token stays valid beside the one that this rotation creates; ${defaultGraceSeconds} (${defaultGraceSeconds / hourSeconds} hours) if left out, unless the operator chose otherwise. 0 ends every older token at once. If the newest token is unconfirmed while an older one is still valid, the newest ends at once whatever you give here, and the older ones keep their deadlines. Only a token that was shown in the dashboard can be unconfirmed.`,
    ),
  expected_last_four: lastFourFrom('Use the last four characters of the token.')
    .optional()
    .describe(
      'The last four characters of the newest token that you know. If the newest token has others, the key is not rotated, and the 422 response says why: who rotated the key and when, that a rotation was undone, or the last four characters of the newest token.',
    ),
});

export type RotationInput = z.input<typeof rotationInput>;

export const rotateApiKeyInput = rotationInput
  .extend({
    dry_run: z
      .boolean({ error: 'Use true or false.' })
      .optional()
      .describe(
        'If true, nothing changes, and the response is 200 with what a rotation would do to each valid token. False if left out.',
      ),
  })
  .meta({
    id: 'RotateApiKeyInput',
    description: 'How to rotate the key.',
    examples: [{ grace_period_seconds: defaultGraceSeconds }],
  });

export const rotatedToken = z
  .object({
    token,
    message: z
      .string()
      .describe('Says what happened to the older tokens and until when each stays valid.'),
  })
  .meta({
    id: 'RotatedToken',
    description: 'The token that a rotation made.',
    examples: [sampleRotation],
  });

export const rotationPreview = z
  .object({
    tokens: z
      .array(
        z.object({
          last_four: z.string().length(4).describe('The last four characters of the token.'),
          valid_until: timestamp
            .nullable()
            .describe('Until when the token would stay valid; null if it would end at once.'),
          ends_now: z.boolean().describe('Whether the token would end at once.'),
        }),
      )
      .describe('Every token that is valid now, newest first.'),
  })
  .meta({
    id: 'RotationPreview',
    description: 'What a rotation would do to the tokens of a key.',
    examples: [sampleRotationPreview],
  });

export type RotationPreview = z.infer<typeof rotationPreview>;
