'use client';

import { useQueryClient } from '@tanstack/react-query';

import type { ActionFailure } from '#lib/actions/action-result.ts';
import { settle } from '#lib/actions/settle.ts';
import { updateWebhook } from '#lib/actions/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';

type SetActive = (webhook: Webhook, isActive: boolean) => Promise<ActionFailure | null>;

/**
 * Pauses and resumes. The row changes at once; what the service then answers replaces it, and a
 * refusal puts back how it was. The returned promise tells of the refusal, or null.
 */
export function useSetActive(accountId: string): SetActive {
  const client = useQueryClient();
  const { queryKey } = webhooksQuery(accountId);

  function replace(webhook: Webhook) {
    client.setQueryData(queryKey, (list) =>
      list?.map((one) => (one.id === webhook.id ? webhook : one)),
    );
  }

  return async (webhook, isActive) => {
    // An answer under way is older than the press and would undo it.
    await client.cancelQueries({ queryKey });
    replace(expected(webhook, isActive));
    const result = await settle(updateWebhook(webhook.uuid, { is_active: isActive }));
    replace(result.ok ? result.webhook : webhook);
    void client.invalidateQueries({ queryKey });
    return result.ok ? null : result;
  };
}

function expected(webhook: Webhook, isActive: boolean): Webhook {
  if (isActive) {
    return {
      ...webhook,
      is_active: true,
      status: 'active',
      inactive_since: null,
      inactive_reason: null,
      failing_since: null,
      failure_count: 0,
    };
  }
  return { ...webhook, is_active: false, status: 'paused', inactive_since: null };
}
