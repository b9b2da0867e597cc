'use server';

import { routes } from '../contract/routes.ts';
import { action } from './action.ts';

export const sendEvent = action(routes.sendEvent);
