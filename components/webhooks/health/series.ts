/** The parts of a bar, from bottom to top. Each is a filter of the delivery table as well. */
export const series = ['delivered', 'retried', 'failed'] as const;

export type Series = (typeof series)[number];

export const seriesStyles: Record<Series, { label: string; colour: string }> = {
  delivered: { label: 'Delivered', colour: 'bg-data-delivered' },
  retried: { label: 'Retried', colour: 'bg-data-retried' },
  failed: { label: 'Failed', colour: 'bg-data-failed' },
};
