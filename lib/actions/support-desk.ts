'use server';

import { routes } from '../contract/routes.ts';
import { action } from './action.ts';

export const searchDesk = action(routes.searchDesk);
// The browser sends only the digest of a token: the token stays there.
export const findToken = action(routes.findToken);
export const reportUnknownLeak = action(routes.reportUnknownLeak);
