/** The environment variable of the secret in the snippets. */
export const SECRET_ENV_NAME = 'MESSAGING_WEBHOOK_SECRET';
