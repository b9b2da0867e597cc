'use server';

import { routes } from '../contract/routes.ts';
import { action } from './action.ts';

export const requestRotation = action(routes.requestRotation);
export const requestWebhookAct = action(routes.requestWebhookAct);
export const rotateOnRequest = action(routes.rotateOnRequest);
export const revokeLeakedKey = action(routes.revokeLeakedKey);
export const withdrawRotationRequest = action(routes.withdrawRotationRequest);
export const declineRotationRequest = action(routes.declineRotationRequest);
