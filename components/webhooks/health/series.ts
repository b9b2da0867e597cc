/** The parts of a bar, bottom up. */
export const series = ['delivered', 'failed'] as const;

export type Series = (typeof series)[number];

export const seriesLooks: Record<Series, { word: string; colour: string }> = {
  delivered: { word: 'Delivered', colour: 'bg-data-delivered' },
  failed: { word: 'Failed', colour: 'bg-data-failed' },
};
