import { oneLine, shorten } from '../mail/compose/one-line.ts';

/** A name that someone chose, quoted in a sentence of an email. See `plainName`. */
export function quoteName(name: string): string {
  return `"${plainName(name)}"`;
}

/** The same for a subject, at most 60 letters, so that the words after the name stay visible. */
export function quoteShortName(name: string): string {
  return quoteName(shorten(oneLine(name), 60));
}

/**
 * A name that someone chose, for use in an email. A token or secret that someone entered as a
 * name by mistake is cut out, because such an email would be refused. Text that looks like a link
 * is changed so that mail programs do not turn it into one: nobody can send others to a page with
 * the name of a key.
 */
export function plainName(name: string): string {
  return oneLine(name)
    .replaceAll(/(sk_live_|whsec_)\S*/g, '…')
    .replaceAll('://', `:${gap}//`)
    .replaceAll(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, `.${gap}`);
}

/** A zero-width space, which mail programs take for the end of a URL. */
const gap = '\u200b';
