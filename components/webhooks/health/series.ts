/** The parts of a bar, from bottom to top. */
export const series = ['delivered', 'failed'] as const;

export type Series = (typeof series)[number];

export const seriesStyles: Record<Series, { label: string; colour: string }> = {
  delivered: { label: 'Delivered', colour: 'bg-data-delivered' },
  failed: { label: 'Failed', colour: 'bg-data-failed' },
};
