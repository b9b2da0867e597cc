import { useQueryClient } from '@tanstack/react-query';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { queriesAbout } from '#lib/queries/stale-reads.ts';

/** Refetches the webhooks if a sending was refused because one is inactive, to show Resume. */
export function useRefetchAfterRefusal(accountId: string): (failure: ActionFailure) => void {
  const client = useQueryClient();
  return ({ code }) => {
    if (code !== 'VALIDATION_ERROR') return;
    void client.invalidateQueries(queriesAbout('webhooks', accountId));
  };
}
