/** The environment variable of the secret in the snippets. */
export const secretEnvName = 'MESSAGING_WEBHOOK_SECRET';
