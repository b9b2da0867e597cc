import {
  longestPasted,
  signatureHeaders,
  type SignatureHeader,
} from '#lib/contract/deliveries/signature-verdicts.ts';

export type PastedHeaders = Partial<Record<SignatureHeader, string>>;

/**
 * The headers of a signature in a text that a person pasted: lines of HTTP, arguments of curl, JSON
 * or the variables of PHP. Nothing else of the text leaves the browser, such as a cookie.
 */
export function readHeaders(text: string): PastedHeaders {
  const found = signatureHeaders.map((name) => {
    const spelled = name.replace('-', '[-_]');
    const line = new RegExp(
      `(?:^|[^\\w-]|http_)${spelled}["']?\\]?[^\\S\\r\\n]*(?:=>|[:=])[^\\S\\r\\n]*(.*)$`,
      'im',
    );
    const value = line
      .exec(text)?.[1]
      ?.trim()
      .replace(/^\[?["']|["']?\]?[,;]?(?: \\)?$/g, '');
    return [name, value?.slice(0, longestPasted.header)] as const;
  });
  return Object.fromEntries(found.filter(([, value]) => value !== undefined && value !== ''));
}
