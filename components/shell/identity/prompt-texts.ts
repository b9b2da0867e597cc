/** The words of an identity prompt. */
export type PromptTexts = {
  title: string;
  sentence: string;
  button: string;
  notDone: string;
  unknown: string;
};

export const promptTexts = {
  proof: {
    title: 'Confirm it is you',
    sentence: 'This action reveals or changes access, so it needs your password.',
    button: 'Confirm',
    notDone: 'Your password could not be checked',
    unknown: 'We could not confirm whether your password was accepted',
  },
  'sign-in': {
    title: 'Sign in again',
    sentence: 'Your session has ended. This page and what you typed stay as they are.',
    button: 'Sign in',
    notDone: 'Sign-in failed',
    unknown: 'We could not confirm whether you were signed in',
  },
} satisfies Record<string, PromptTexts>;
