'use client';

import type { GraceChoice } from '#components/shell/grace-period/grace-choices.ts';
import { useLatestAnswer } from '#components/shell/actions/use-latest-answer.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { previewRotation } from '#lib/actions/api-keys.ts';
import type { ApiKey, RotationPreview } from '#lib/contract/api-keys/api-keys.ts';

/** What a rotation would do to each valid token of a key, newest first, as the service says. */
export type PreviewedTokens = RotationPreview['tokens'];

/** The service's answer; null while it is awaited. */
export function useRotationPreview(
  { uuid, last_four: lastFour }: Pick<ApiKey, 'uuid' | 'last_four'>,
  choice: GraceChoice,
): PreviewedTokens | ActionFailure | null {
  return useLatestAnswer({
    key: `${lastFour} ${choice}`,
    ask: () =>
      previewRotation(uuid, {
        grace_period_seconds: Number(choice),
        expected_last_four: lastFour,
      }),
    read: (result) => (result.ok ? result.tokens : result),
  });
}
