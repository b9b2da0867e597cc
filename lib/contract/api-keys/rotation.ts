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

export const rotationInput = z.strictObject({
  grace_period_seconds: gracePeriodSeconds
    .optional()
    .describe(
      `Grace period in seconds for the current token. Default: the operator’s setting, ${defaultGraceSeconds / hourSeconds} hours (${defaultGraceSeconds}) unless changed. 0 ends every older token immediately. If the newest token is unconfirmed while an older one is still valid, the newest ends immediately regardless of this value, and the older ones keep their deadlines. Only a token that was shown in the dashboard can be unconfirmed.`,
    ),
  expected_last_four: lastFourFrom('Use the last four characters of the token.')
    .optional()
    .describe(
      'The last four characters of the newest token that you know. If the newest token has others, the key is not rotated, and the 422 response explains why: who rotated the key and when, that a rotation was undone, or the last four characters of the newest token.',
    ),
});

export type RotationInput = z.input<typeof rotationInput>;

export const rotateApiKeyInput = rotationInput
  .extend({
    dry_run: z
      .boolean({ error: 'Use true or false.' })
      .optional()
      .describe(
        'If true, nothing changes, and the response is 200 with what a rotation would do to each valid token. Default: false.',
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
      .describe('What happened to the older tokens, and how long each stays valid.'),
  })
  .meta({
    id: 'RotatedToken',
    description: 'The token that a rotation created.',
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
            .describe('Until when the token would stay valid; null if it would end immediately.'),
          ends_now: z.boolean().describe('Whether the token would end immediately.'),
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
