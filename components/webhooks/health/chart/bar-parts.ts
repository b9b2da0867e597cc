/** Each is a filter of the delivery table as well. */
export const series = ['delivered', 'retried', 'failed'] as const;

/** The parts of a bar, bottom to top; waiting and cancelled deliveries only if there are any. */
export const barParts = [...series, 'waiting', 'cancelled'] as const;

export type BarPart = (typeof barParts)[number];

export const partStyles: Record<BarPart, { label: string; color: string }> = {
  delivered: { label: 'Delivered', color: 'bg-data-delivered' },
  retried: { label: 'Retried', color: 'bg-data-retried' },
  failed: { label: 'Failed', color: 'bg-data-failed' },
  waiting: { label: 'Waiting', color: 'bg-data-other' },
  cancelled: { label: 'Cancelled', color: 'bg-ink-3' },
};

/** Whether a part is shown although it may be empty; it is a filter of the delivery table. */
export function isSeries(part: BarPart): part is (typeof series)[number] {
  return part !== 'waiting' && part !== 'cancelled';
}
