import { Code } from '#components/ui/data-display/code.tsx';

type MaskedTokenProps = {
  lastFour: string;
  /**
   * `full` shows the prefix, `sk_live_…a1b2`; `short` leaves it out; `fit` leaves it out on very
   * narrow screens.
   */
  form?: 'full' | 'short' | 'fit';
};

/** A token's prefix and last four characters. */
export function MaskedToken({ lastFour, form = 'full' }: MaskedTokenProps) {
  return (
    <Code className="whitespace-nowrap">
      {form !== 'short' && (
        <span className={form === 'fit' ? 'max-[22.5rem]:hidden' : undefined}>sk_live_</span>
      )}
      …{lastFour}
    </Code>
  );
}
