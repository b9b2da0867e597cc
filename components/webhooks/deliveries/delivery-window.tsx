import { X } from 'lucide-react';

import { Button } from '#components/ui/buttons/button.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { formatShort, formatSpan } from '#lib/time.ts';

import type { DeliveryView } from './delivery-view.ts';

type DeliveryWindowProps = {
  view: DeliveryView;
  onChange: (change: Partial<DeliveryView>) => void;
};

/**
 * The window of time of which deliveries are shown, with fields for its ends and a button to leave
 * it.
 */
export function DeliveryWindow({ view, onChange }: DeliveryWindowProps) {
  const zone = useNow() === null ? 'UTC' : undefined;
  return (
    <>
      <Button
        icon={<X />}
        onClick={() => onChange({ from: null, to: null })}
        className="max-sm:flex-1"
      >
        <span className="text-ink-2">
          <span className="sr-only">Remove the filter: </span>
          {describeWindow(view, zone)}
        </span>
      </Button>
      <Fields shouldLoad view={view} onChange={onChange} />
    </>
  );
}

const Fields = lazyComponent(
  async () => (await import('./delivery-window-fields.tsx')).DeliveryWindowFields,
);

function describeWindow(
  { from, to }: Pick<DeliveryView, 'from' | 'to'>,
  zone: string | undefined,
): string {
  if (from !== null && to !== null) return formatSpan(from, to, zone);
  if (from !== null) return `Since ${formatShort(from, zone)}`;
  return to === null ? '' : `Before ${formatShort(to, zone)}`;
}
