'use server';

import { routes } from '../contract/routes.ts';
import { action } from './action.ts';

export const createApiKey = action(routes.createApiKey);
export const rotateApiKey = action(routes.rotateApiKey);
export const updateApiKey = action(routes.updateApiKey);
export const pauseApiKey = action(routes.pauseApiKey);
export const resumeApiKey = action(routes.resumeApiKey);
export const revokeApiKey = action(routes.revokeApiKey);
export const endToken = action(routes.endToken);

export const extendToken = action(routes.extendToken);
export const confirmToken = action(routes.confirmToken);
export const replaceUnconfirmedToken = action(routes.replaceUnconfirmedToken);
export const undoRotation = action(routes.undoRotation);
export const notifyOwnersOfExpiry = action(routes.notifyOwnersOfExpiry);

// The browser sends only the digest of a token: the token stays there.
export const findTokenOfAccount = action(routes.findTokenOfAccount);

export const previewIncident = action(routes.previewIncident);
export const startIncident = action(routes.startIncident);
export const cancelIncident = action(routes.cancelIncident);
