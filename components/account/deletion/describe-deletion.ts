import { countOf } from '#lib/count.ts';

/** How many keys work, and how many webhooks there are. */
export type DeletedCounts = { apiKeys: number; webhooks: number };

/** "All 6 active keys and 5 webhooks stop working immediately. …" */
export function describeDeletion(counts: DeletedCounts | undefined): string {
  return `${describeStop(counts)} Members other than owners can no longer open the account. For 7 days an owner can restore it. After that, its data is erased and cannot be recovered.`;
}

function describeStop(counts: DeletedCounts | undefined): string {
  if (!counts) return 'All keys and webhooks stop working immediately.';
  const { apiKeys, webhooks } = counts;
  if (apiKeys + webhooks === 0) return 'The account has no active key and no webhook.';
  const parts = [
    ...(apiKeys > 0 ? [countOf(apiKeys, 'active key')] : []),
    ...(webhooks > 0 ? [countOf(webhooks, 'webhook')] : []),
  ].join(' and ');
  if (apiKeys + webhooks === 1) return `The ${parts.replace('1 ', '')} stops working immediately.`;
  const all = apiKeys === 1 || webhooks === 1 ? '' : 'All ';
  return `${all}${parts} stop working immediately.`;
}
