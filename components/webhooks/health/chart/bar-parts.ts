/** Each is a filter of the delivery table as well. */
export const series = ['delivered', 'retried', 'failed'] as const;

/**
 * The parts of a bar, from bottom to top. The last part has the deliveries that no filter finds.
 */
export const barParts = [...series, 'other'] as const;

export type BarPart = (typeof barParts)[number];

export const partStyles: Record<BarPart, { label: string; color: string }> = {
  delivered: { label: 'Delivered', color: 'bg-data-delivered' },
  retried: { label: 'Retried', color: 'bg-data-retried' },
  failed: { label: 'Failed', color: 'bg-data-failed' },
  other: { label: 'Waiting or cancelled', color: 'bg-data-other' },
};
