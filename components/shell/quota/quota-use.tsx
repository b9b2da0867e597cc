import type { Quota } from '#lib/contract/quotas.ts';

type QuotaUseProps = {
  /** Null: unknown. Then nothing is shown. */
  quota: Quota | null;
  /** What is counted: "webhooks". */
  nouns: string;
};

/** How much of a quota is used, as a line below the sentence of a page's heading. */
export function QuotaUse({ quota, nouns }: QuotaUseProps) {
  if (quota === null) return null;
  return (
    <span className="mt-1 block text-small text-ink-3 tabular-nums">
      {quota.used} of {quota.max} {nouns} used
    </span>
  );
}
