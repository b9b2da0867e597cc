import { oneLine } from '../mail/compose/one-line.ts';
import { shorten } from '../mail/compose/shorten.ts';

/** A name that somebody gave, as a sentence of an email quotes it. See `plainName`. */
export function quoteName(name: string): string {
  return `"${plainName(name)}"`;
}

/** The same for a subject, where the words after it count as well: 60 letters at most. */
export function quoteShortName(name: string): string {
  return quoteName(shorten(oneLine(name), 60));
}

/**
 * A name that somebody gave, where an email says it alone. A token or secret that was typed as a name by
 * mistake is cut out: the email would be refused. What looks like a link is kept from becoming one,
 * as mail programs would make it: nobody shall send others to a page by the name of a key.
 */
export function plainName(name: string): string {
  return oneLine(name)
    .replaceAll(/(sk_live_|whsec_)\S*/g, '…')
    .replaceAll('://', `:${gap}//`)
    .replaceAll(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, `.${gap}`);
}

/** A space without width, which mail programs take for the end of an address. */
const gap = '\u200b';
