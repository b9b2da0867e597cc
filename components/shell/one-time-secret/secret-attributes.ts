/** Makes session recorders ignore everything inside. Each tool has its own attribute. */
export const recorderAttributes = {
  'data-secret': '',
  'data-private': 'true',
  'data-sensitive': 'true',
  'data-recording-sensitive': 'true',
  'data-hj-suppress': '',
  'data-sentry-mask': '',
  'data-sentry-block': '',
  'data-dd-privacy': 'hidden',
  'data-clarity-mask': 'True',
  'data-sl': 'exclude',
  'data-cs-mask': '',
  'data-heap-redact-text': 'true',
  translate: 'no',
} as const;

/** The same, for tools that use a class. */
export const recorderClass =
  'ph-no-capture rr-block sentry-block highlight-block fs-exclude amp-block lr-hide smartlook-hide';

/** Makes password managers, writing aids and the browser's autofill ignore a field. */
export const noAutofillAttributes = {
  autoComplete: 'off',
  autoCorrect: 'off',
  autoCapitalize: 'off',
  spellCheck: false,
  'data-1p-ignore': '',
  'data-op-ignore': '',
  'data-lpignore': 'true',
  'data-bwignore': '',
  'data-protonpass-ignore': 'true',
  'data-dashlane-ignore': 'true',
  'data-form-type': 'other',
  'data-gramm': 'false',
  'data-gramm_editor': 'false',
  'data-enable-grammarly': 'false',
  'data-lt-active': 'false',
  'data-ms-editor': 'false',
} as const;
