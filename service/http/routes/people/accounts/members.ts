import type { Hono } from 'hono';
import * as contract from '#lib/contract/people/members.ts';
import type { Context } from '../../../../context.ts';
import { changeMemberRole } from '../../../../domain/people/members/change-member-role.ts';
import { getTeam } from '../../../../domain/people/members/get-team.ts';
import { leaveAccount } from '../../../../domain/people/members/leave-account.ts';
import { listShownSecrets } from '../../../../domain/people/members/list-shown-secrets.ts';
import { removeMember } from '../../../../domain/people/members/remove-member.ts';
import { mount } from '../../../mount.ts';

/** The members of an account. These routes are for people: API keys cannot call them. */
export function mountMemberRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.listMembers).handle(async ({ actor }) => ({
    status: 200,
    body: { success: true, data: await getTeam(ctx, actor) },
  }));

  mount(app, ctx, contract.changeMemberRole).handle(async ({ actor, params, body }) => ({
    status: 200,
    body: { success: true, data: await changeMemberRole(ctx, actor, { ...params, ...body }) },
  }));

  mount(app, ctx, contract.listShownSecrets).handle(async ({ actor, params }) => ({
    status: 200,
    body: { success: true, data: await listShownSecrets(ctx, actor, params) },
  }));

  mount(app, ctx, contract.removeMember).handle(async ({ actor, params }) => {
    await removeMember(ctx, actor, params);
    return { status: 204 };
  });

  mount(app, ctx, contract.leaveAccount).handle(async ({ actor }) => {
    const { hasOtherAccounts } = await leaveAccount(ctx, actor);
    return { status: 200, body: { success: true, data: { has_other_accounts: hasOtherAccounts } } };
  });
}
