export { createClient } from './create-client.ts';
export type { Client, ClientOptions } from './create-client.ts';
export { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';
export type { VerifyOptions, WebhookEvent, WebhookHeaders } from './verify-webhook.ts';
export type { components, operations, paths } from './generated/api.ts';
