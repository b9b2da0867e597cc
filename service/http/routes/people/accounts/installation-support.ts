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

/** Support of the whole installation. These routes are for people: API keys cannot call them. */
export function mountInstallationSupportRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.getInstallationSupport).respond(
    async ({ actor }) => await getInstallationSupport(ctx, actor),
  );

  mount(app, ctx, contract.setInstallationSupport).respond(
    async ({ actor, body }) => await setInstallationSupport(ctx, actor, body),
  );

  mount(app, ctx, contract.openSupportVisit).respond(async ({ actor, body, sessionToken }) => {
    const { endsAt } = await openSupportVisit(ctx, actor, {
      input: body,
      sessionToken,
    });
    return { ends_at: formatApiTime(endsAt) };
  });

  mount(app, ctx, contract.endSupportVisit).respond(
    async ({ actor, sessionToken }) => await endSupportVisit(ctx, actor, sessionToken),
  );

  mount(app, ctx, contract.searchAccounts).respond(
    async ({ actor, query }) => await searchAccounts(ctx, actor, query),
  );
}
