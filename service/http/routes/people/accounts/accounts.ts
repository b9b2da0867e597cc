import type { Hono } from 'hono';
import * as usageContract from '#lib/contract/people/account-usage.ts';
import * as contract from '#lib/contract/people/accounts.ts';
import * as team from '#lib/contract/people/members.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../../context.ts';
import { getAccountUsage } from '../../../../domain/api-keys/read-api-keys.ts';
import { getAccount, updateAccount } from '../../../../domain/people/accounts/account.ts';
import {
  deleteAccount,
  restoreAccount,
} from '../../../../domain/people/accounts/delete-account.ts';
import { changeMemberRole } from '../../../../domain/people/members/change-member-role.ts';
import { getTeam } from '../../../../domain/people/members/read-members.ts';
import { remindMember } from '../../../../domain/people/members/remind-member.ts';
import { leaveAccount, removeMember } from '../../../../domain/people/members/remove-member.ts';
import { listShownSecrets } from '../../../../domain/webhooks/secret/list-shown-secrets.ts';
import { mount } from '../../../mount.ts';

/** The settings of an account. These routes are for people: API keys cannot call them. */
export function mountAccountRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.getAccount).respond(async ({ actor }) => await getAccount(ctx, actor));

  mount(app, ctx, usageContract.getAccountUsage).respond(
    async ({ actor }) => await getAccountUsage(ctx, actor),
  );

  mount(app, ctx, contract.updateAccount).respond(
    async ({ actor, body }) => await updateAccount(ctx, actor, body),
  );

  mount(app, ctx, contract.deleteAccount).respond(async ({ actor, body }) => {
    const { erasedAt } = await deleteAccount(ctx, actor, body);
    return { erased_at: formatApiTime(erasedAt) };
  });

  mount(app, ctx, contract.restoreAccount).respond(
    async ({ actor }) => await restoreAccount(ctx, actor),
  );
}

/** The members of an account. These routes are for people: API keys cannot call them. */
export function mountMemberRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, team.listMembers).respond(async ({ actor }) => await getTeam(ctx, actor));

  mount(app, ctx, team.changeMemberRole).respond(
    async ({ actor, params, body }) => await changeMemberRole(ctx, actor, { ...params, ...body }),
  );

  mount(app, ctx, team.remindMember).respond(
    async ({ actor, params }) => await remindMember(ctx, actor, params),
  );

  mount(app, ctx, team.listShownSecrets).respond(
    async ({ actor, params }) => await listShownSecrets(ctx, actor, params),
  );

  mount(app, ctx, team.removeMember).respond(
    async ({ actor, params }) => await removeMember(ctx, actor, params),
  );

  mount(app, ctx, team.leaveAccount).respond(async ({ actor }) => {
    const { hasOtherAccounts } = await leaveAccount(ctx, actor);
    return { has_other_accounts: hasOtherAccounts };
  });
}
