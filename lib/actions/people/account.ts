'use server';

import { routes } from '../../contract/routes.ts';
import { action } from '../action.ts';

export const updateAccount = action(routes.updateAccount);
export const deleteAccount = action(routes.deleteAccount);
export const restoreAccount = action(routes.restoreAccount);

export const changeMemberRole = action(routes.changeMemberRole);
export const remindMember = action(routes.remindMember);
export const removeMember = action(routes.removeMember);
export const leaveAccount = action(routes.leaveAccount);

export const createInvitation = action(routes.createInvitation);
export const renewInvitation = action(routes.renewInvitation);
export const revokeInvitation = action(routes.revokeInvitation);

export const setInstallationSupport = action(routes.setInstallationSupport);
export const openSupportVisit = action(routes.openSupportVisit);
export const endSupportVisit = action(routes.endSupportVisit);
