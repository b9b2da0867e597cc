/** Longer than what a list shows of one, so long that it may be whole. */
const wholeSecret = /sk_live_\w{20}|whsec_[\w+/]{20}/i;

/** Whether a text contains what may be a whole token or signing secret. */
export function holdsWholeSecret(text: string): boolean {
  return wholeSecret.test(text);
}

/** The last four characters of a token or secret that is written as a list shows it, `sk_live_…a1b2`. */
export function lastFourIn(text: string): string | null {
  return (
    /^(?:sk_live_)?(?:…|\.{2,}|[*•·xX]{4,})\s*([0-9A-Za-z]{4})$/.exec(text.trim())?.[1] ?? null
  );
}
