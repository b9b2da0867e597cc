/** For how many hours a reason of installation support is valid at most. */
export const visitHours = 12;

/** What is wrong with a reason for opening an account: too short, or one letter; or null. */
export function visitReasonError(reason: string): string | null {
  const text = reason.normalize('NFC').trim();
  if (text.length < minCharacters) {
    return `Explain why you are opening the account, in at least ${minCharacters} characters.`;
  }
  const characters = new Set(text.toLowerCase().replaceAll(/\s/gu, ''));
  return characters.size === 1 ? 'Explain in words why you are opening the account.' : null;
}

const minCharacters = 10;
