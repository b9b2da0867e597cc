/** Nobody who typed an emoji knows that it has hidden characters. */
const combinedEmojiAdvice =
  'Leave out combined emoji such as \u{1f468}\u200d\u{1f469}\u200d\u{1f467}: they contain invisible characters. Simple emoji such as \u{1f600} are allowed.';

/** The message for a text that is not plain: what its first hidden character is, and where. */
export const hiddenCharacterAdvice = {
  error: ({ input }: { input?: unknown }) => {
    const { before, hidden, after } = splitAtHidden(String(input));
    if (hidden === '\u200d' && endsInEmoji.test(before) && beginsWithEmoji.test(after)) {
      return combinedEmojiAdvice;
    }
    // A few characters show the place, and are too few to repeat a token that was pasted.
    const line = /[^\n\r\u2028\u2029]*$/.exec(before)?.[0] ?? '';
    const shown = [...line.trim()].slice(-8).join('').trim();
    const start = line === before ? 'at the start' : 'at the start of a line';
    const place = shown === '' ? start : `after “${shown}”`;
    const point = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `Remove the ${describeHidden(hidden)} ${place} (U+${point}).`;
  },
};

const endsInEmoji = /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?$/u;
const beginsWithEmoji = /^\p{Extended_Pictographic}/u;

/**
 * The characters that no reader sees, except variation selectors: emoji and names in Japanese need
 * them. Some format characters (`\p{Cf}`) are visible, such as Arabic number signs.
 */
const hiddenCharacters =
  // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;

/** The flags of England, Scotland and Wales, which hidden characters tell apart. */
const flagsWithTags =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;

/**
 * A joiner inside a word of a script that needs it: without one, words of Persian or Hindi are
 * misspelled. Between such letters it shows, so it cannot make two names look alike.
 */
const joinersInWords =
  /(?<=[\p{L}\p{M}])[\u200c\u200d](?=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}])/gu;

/** Whether a text has nothing in it that a reader cannot see, except for joiners inside words. */
export function isPlainText(text: string): boolean {
  return !hiddenCharacters.test(withoutNeededCharacters(text));
}

function withoutNeededCharacters(text: string): string {
  return text.replaceAll(flagsWithTags, '').replaceAll(joinersInWords, '');
}

/**
 * Cleans what a customer wrote, or how they are called. It is stored as people write it, with
 * joiners and direction marks, except for what would change the line that shows it: line breaks and
 * tabs become spaces, control characters and overrides of the direction are removed, and isolates
 * that are not closed are closed.
 */
export function cleanCustomerText(text: string): string {
  const line = text
    .normalize('NFC')
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    // oxlint-disable-next-line no-control-regex -- removing control characters is the point
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/g, '')
    .replaceAll(/\p{Cs}/gu, '\ufffd')
    .trim();
  let open = 0;
  for (const mark of line.match(/[\u2066-\u2069]/g) ?? []) {
    open = mark === '\u2069' ? Math.max(0, open - 1) : open + 1;
  }
  return line + '\u2069'.repeat(open);
}

type SplitText = { before: string; hidden: string; after: string };

/** Line breaks and tabs are found only if nothing else is hidden: some texts may have them. */
function splitAtHidden(text: string): SplitText {
  const plain = withoutNeededCharacters(text);
  const found =
    hiddenCharacters.exec(plain.replaceAll(/[\n\t]/g, ' ')) ?? hiddenCharacters.exec(plain);
  const [hidden = ''] = found ?? [];
  const place = found?.index ?? 0;
  return { before: plain.slice(0, place), hidden, after: plain.slice(place + hidden.length) };
}

function describeHidden(character: string): string {
  if (character === '\t') return 'tab';
  return /[\n\r\u2028\u2029]/.test(character) ? 'line break' : 'invisible character';
}

/** Whether a reader sees anything of a plain text. U+2800 is the blank Braille pattern. */
export function isVisible(text: string): boolean {
  return /[^\s\u2800\p{Variation_Selector}]/u.test(text);
}

/** Whether a text has no control character other than line breaks and tabs. PostgreSQL stores no NUL. */
export function hasNoControlCharacter(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
  return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text);
}

/** How many bytes a value takes as JSON in UTF-8. */
export function bytesInJson(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** People paste tokens and secrets into texts that others read and the audit log keeps. */
export function hasNoSecret(text: string): boolean {
  return hasNoMarkedSecret(text) && !bareToken.test(text);
}

/** A token without its prefix, where it stands alone. */
const bareToken = /(?<![\w/.+-])[0-9A-Za-z]{38}(?![\w/.+-])/;

/** The same for URLs, in which a receiver's own secrets may look like a token without its prefix. */
export function hasNoMarkedSecret(text: string): boolean {
  return !/sk_live_\w{20}|whsec_[\w+/]{20}/.test(text);
}
