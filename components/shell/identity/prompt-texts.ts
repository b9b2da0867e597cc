/** The words of an identity prompt. */
export type PromptTexts = {
  title: string;
  sentence: string;
  button: string;
  notDone: string;
  unknown: string;
};

const proof = { title: 'Confirm it is you', button: 'Confirm' };

const signIn = {
  title: 'Sign in again',
  button: 'Sign in',
  notDone: 'Sign-in failed',
  unknown: 'We could not confirm whether you were signed in',
};

/** Of the prompt that asks for the password. */
export const passwordTexts = {
  proof: {
    ...proof,
    sentence: 'This action reveals or changes access, so it needs your password.',
    notDone: 'Your password could not be checked',
    unknown: 'We could not confirm whether your password was accepted',
  },
  'sign-in': {
    ...signIn,
    sentence: 'Your session has ended. This page and what you typed stay as they are.',
  },
} satisfies Record<string, PromptTexts>;

/** Of the prompt that asks for the second factor. */
export const factorTexts = {
  proof: {
    ...proof,
    sentence:
      'This action reveals or changes access, so it needs a passkey, or your password and a code.',
    notDone: 'Your identity could not be confirmed',
    unknown: 'We could not confirm whether your identity was confirmed',
  },
  'sign-in': {
    ...signIn,
    sentence: 'Your password is correct. Now confirm with your second factor.',
  },
} satisfies Record<string, PromptTexts>;
