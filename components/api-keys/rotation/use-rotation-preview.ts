'use client';

import type { GraceChoice } from '#components/shell/grace-period/grace-choices.ts';
import { useLatestResult } from '#components/shell/actions/use-latest-result.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { previewRotation } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { RotationPreview } from '#lib/contract/api-keys/rotation.ts';

/**
 * What a rotation would do to each valid token of a key, newest first, according to the service.
 */
export type TokenPreviews = RotationPreview['tokens'];

/** What the service returned; null until then. */
export function useRotationPreview(
  { uuid, last_four: lastFour }: Pick<ApiKey, 'uuid' | 'last_four'>,
  choice: GraceChoice,
): TokenPreviews | ActionFailure | null {
  const { value, failedAction } = useLatestResult({
    key: `${lastFour} ${choice}`,
    call: () =>
      previewRotation(uuid, {
        grace_period_seconds: Number(choice),
        expected_last_four: lastFour,
      }),
  });
  return value?.tokens ?? failedAction?.failure ?? null;
}
