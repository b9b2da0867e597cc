/**
 * The id of the button on a webhook's page that pauses, resumes or sets it up. The page has one of
 * them at a time, and the focus moves from one to the next.
 */
export const activationButtonId = 'webhook-activation';
