'use server';

import { routes } from '../contract/routes.ts';
import { action } from './action.ts';

export const createWebhook = action(routes.createWebhook);
// Counted when someone resumes a webhook, so a failure is shown like that of an action.
export const getWebhookBacklog = action(routes.getWebhookBacklog);
export const updateWebhook = action(routes.updateWebhook);
export const deleteWebhook = action(routes.deleteWebhook);
export const endWebhookSecret = action(routes.endWebhookSecret);
export const regenerateWebhookSecret = action(routes.regenerateWebhookSecret);
export const confirmSecret = action(routes.confirmSecret);
export const testWebhook = action(routes.testWebhook);
export const retryDelivery = action(routes.retryDelivery);
// Reads, but what is pasted must not stand in an address.
export const checkSignature = action(routes.checkSignature);
// Reads, but a filter may be longer than an address.
export const dryRunFilter = action(routes.dryRunFilter);
export const createReplay = action(routes.createReplay);
export const cancelReplay = action(routes.cancelReplay);
