import type { Hono } from 'hono';
import * as contract from '#lib/contract/people/installation-support.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../../context.ts';
import {
  endSupportVisit,
  openSupportVisit,
  searchAccounts,
} from '../../../../domain/people/installation-support/support-visit.ts';
import {
  getInstallationSupport,
  setInstallationSupport,
} from '../../../../domain/people/installation-support/set-installation-support.ts';
import { mount } from '../../../mount.ts';
import { requiredSession } from '../required-session.ts';

/** Support of the whole installation. These routes are for people: API keys cannot call them. */
export function mountInstallationSupportRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.getInstallationSupport).handle(async ({ actor }) => ({
    status: 200,
    body: { success: true, data: await getInstallationSupport(ctx, actor) },
  }));

  mount(app, ctx, contract.setInstallationSupport).handle(async ({ actor, body }) => ({
    status: 200,
    body: { success: true, data: await setInstallationSupport(ctx, actor, body) },
  }));

  mount(app, ctx, contract.openSupportVisit).handle(async ({ actor, body, sessionToken }) => {
    const { endsAt } = await openSupportVisit(ctx, actor, {
      input: body,
      sessionToken: requiredSession(sessionToken),
    });
    return { status: 201, body: { success: true, data: { ends_at: formatApiTime(endsAt) } } };
  });

  mount(app, ctx, contract.endSupportVisit).handle(async ({ actor, sessionToken }) => {
    await endSupportVisit(ctx, actor, requiredSession(sessionToken));
    return { status: 204 };
  });

  mount(app, ctx, contract.searchAccounts).handle(async ({ actor, query }) => ({
    status: 200,
    body: { success: true, data: await searchAccounts(ctx, actor, query) },
  }));
}
