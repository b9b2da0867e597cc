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
    notDone: 'You could not be confirmed',
    unknown: 'It is unknown whether you were confirmed',
  },
  'sign-in': {
    title: 'Sign in again',
    sentence: 'Your session has ended. This page and what you typed stay as they are.',
    button: 'Sign in',
    notDone: 'Sign-in failed',
    unknown: 'It is unknown whether you were signed in',
  },
} satisfies Record<string, PromptTexts>;
