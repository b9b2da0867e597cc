/** Each is a filter of the delivery table as well. */
export const series = ['delivered', 'retried', 'failed'] as const;

/**
 * The parts of a bar, from bottom to top. The last part has the deliveries that no filter finds.
 */
export const barParts = [...series, 'other'] as const;

export type BarPart = (typeof barParts)[number];

export const partStyles: Record<BarPart, { label: string; colour: string }> = {
  delivered: { label: 'Delivered', colour: 'bg-data-delivered' },
  retried: { label: 'Retried', colour: 'bg-data-retried' },
  failed: { label: 'Failed', colour: 'bg-data-failed' },
  other: { label: 'Waiting or cancelled', colour: 'bg-data-other' },
};
