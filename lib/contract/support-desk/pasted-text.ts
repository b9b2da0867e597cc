/**
 * What a person put into the box of the support desk.
 *
 * `token`: a whole token, with any text around it. `part-of-token`: more characters of a token than
 * a list shows. `signing-secret`: the secret of a webhook. `text`: anything else, which can be
 * searched for.
 */
export type Pasted =
  | { kind: 'token'; token: string }
  | { kind: 'part-of-token' | 'signing-secret' | 'text' };

export function readPasted(text: string): Pasted {
  const token = wholeToken.exec(text)?.[0];
  if (token !== undefined) return { kind: 'token', token };
  if (signingSecret.test(text)) return { kind: 'signing-secret' };
  return { kind: partOfToken.test(text) ? 'part-of-token' : 'text' };
}

const wholeToken = /sk_live_[0-9A-Za-z]{38}(?![0-9A-Za-z])/;

const signingSecret = /whsec_[\w+/=-]{5}/i;

/** Also without its prefix, where it stands alone. */
const partOfToken = /sk_live_…?[0-9A-Za-z]{5}|(?<![\w/.+-])[0-9A-Za-z]{38}(?![\w/.+-])/i;

/** The last four characters of a token that is written as a list shows it, `sk_live_…a1b2`. */
export function lastFourIn(text: string): string | null {
  const masked = /^(?:sk_live_)?(?:…|\.{2,}|[*•·xX]{4,})\s*([0-9A-Za-z]{4})$/;
  return masked.exec(text.trim())?.[1] ?? null;
}
