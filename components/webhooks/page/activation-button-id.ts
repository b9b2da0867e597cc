/** The id of the button that pauses, resumes or sets up a webhook; the focus stays with it. */
export const activationButtonId = 'webhook-activation';
