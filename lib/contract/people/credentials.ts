import { z } from 'zod';
import { boundedText, rawText } from '../fields/bounded-text.ts';
import { emailPattern, withAsciiDomain } from './email-pattern.ts';

/** An email address in the form in which it is stored: trimmed, in lower case, its domain in ASCII. */
export const email = rawText(1000, {
  error: 'Enter your email address.',
  tooLong: 'Use at most 254 characters.',
})
  .trim()
  .toLowerCase()
  .overwrite(withAsciiDomain)
  .pipe(
    boundedText(254).check(
      z.email({ pattern: emailPattern, error: 'This is not an email address.' }),
    ),
  );

/** Long enough to resist guessing. The maximum keeps a client from having megabytes hashed. */
export const newPassword = boundedText(128, { error: 'Enter a password.' }).min(
  12,
  'Use at least 12 characters.',
);

/** A password that exists already. */
export const password = boundedText(128, { error: 'Enter your password.' }).min(
  1,
  'Enter your password.',
);
