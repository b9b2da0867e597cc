type MaskedTokenProps = {
  lastFour: string;
  /**
   * `full` names the kind of token before the four. `short` leaves it out, where the words around
   * say it. `fit` leaves it out on the narrowest phones, where it would push the four out of sight.
   */
  form?: 'full' | 'short' | 'fit';
};

/** A token as it may be shown: its kind and its last four characters. */
export function MaskedToken({ lastFour, form = 'full' }: MaskedTokenProps) {
  return (
    <span className="code whitespace-nowrap">
      {form !== 'short' && (
        <span className={form === 'fit' ? 'max-[22.5rem]:hidden' : undefined}>sk_live_</span>
      )}
      …{lastFour}
    </span>
  );
}
