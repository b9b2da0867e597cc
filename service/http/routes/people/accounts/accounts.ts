import type { Hono } from 'hono';
import * as usageContract from '#lib/contract/people/account-usage.ts';
import * as contract from '#lib/contract/people/accounts.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../../context.ts';
import { deleteAccount } from '../../../../domain/people/accounts/delete-account.ts';
import { getAccountUsage } from '../../../../domain/people/accounts/get-account-usage.ts';
import { getAccount } from '../../../../domain/people/accounts/get-account.ts';
import { restoreAccount } from '../../../../domain/people/accounts/restore-account.ts';
import { updateAccount } from '../../../../domain/people/accounts/update-account.ts';
import { mount } from '../../../mount.ts';

/** The settings of an account. These routes are for people: API keys cannot call them. */
export function mountAccountRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.getAccount).handle(async ({ actor }) => ({
    status: 200,
    body: { success: true, data: await getAccount(ctx, actor) },
  }));

  mount(app, ctx, usageContract.getAccountUsage).handle(async ({ actor }) => ({
    status: 200,
    body: { success: true, data: await getAccountUsage(ctx, actor) },
  }));

  mount(app, ctx, contract.updateAccount).handle(async ({ actor, body }) => ({
    status: 200,
    body: { success: true, data: await updateAccount(ctx, actor, body) },
  }));

  mount(app, ctx, contract.deleteAccount).handle(async ({ actor, body }) => {
    const { erasedAt } = await deleteAccount(ctx, actor, body);
    return { status: 200, body: { success: true, data: { erased_at: formatApiTime(erasedAt) } } };
  });

  mount(app, ctx, contract.restoreAccount).handle(async ({ actor }) => {
    await restoreAccount(ctx, actor);
    return { status: 204 };
  });
}
