import { useLatestResult } from '#components/shell/actions/use-latest-result.ts';
import type { FailedAction } from '#components/shell/actions/use-failure-state.ts';
import { rotateApiKey } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { RotationPreview } from '#lib/contract/api-keys/rotation.ts';

/** What a rotation would do to each valid token of a key, newest first. */
export type TokenPreviews = RotationPreview['tokens'];

type RotationPreviewOptions = {
  choice: number;
  /** Called if the service refuses the rotation, because the key may have changed. */
  onStale: () => void;
};

/** What the service returned, or why it did not; null until then. */
export function useRotationPreview(
  { uuid, last_four: lastFour }: Pick<ApiKey, 'uuid' | 'last_four'>,
  { choice, onStale }: RotationPreviewOptions,
): TokenPreviews | FailedAction | null {
  const { value, failedAction } = useLatestResult({
    key: `${lastFour} ${choice}`,
    call: async () => {
      const result = await rotateApiKey({
        params: { apiKey: uuid },
        body: {
          grace_period_seconds: choice,
          expected_last_four: lastFour,
          dry_run: true,
        },
        idempotencyKey: crypto.randomUUID(),
      });
      if (!result.ok && result.code === 'VALIDATION_ERROR') onStale();
      return result;
    },
  });
  return value !== null && 'tokens' in value.data ? value.data.tokens : failedAction;
}
