import type { Hono } from 'hono';
import * as contract from '#lib/contract/api-keys/incidents/incidents.ts';
import type { Context } from '../../../../context.ts';
import { cancelIncident } from '../../../../domain/api-keys/incident/cancel-incident.ts';
import { getIncident, listIncidents } from '../../../../domain/api-keys/incident/read-incidents.ts';
import { listIncidentKeys } from '../../../../domain/api-keys/incident/incident-keys.ts';
import { previewIncident } from '../../../../domain/api-keys/incident/preview-incident.ts';
import {
  findConfirmationProblem,
  startIncident,
} from '../../../../domain/api-keys/incident/start-incident.ts';
import { mount } from '../../../mount.ts';

export function mountIncidentRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.listIncidentKeys).handle(async ({ actor, query }) => ({
    status: 200,
    body: { success: true, data: await listIncidentKeys(ctx, actor, query) },
  }));

  mount(app, ctx, contract.previewIncident).handle(async ({ actor, body }) => ({
    status: 200,
    body: { success: true, data: await previewIncident(ctx, actor, body) },
  }));

  mount(app, ctx, contract.startIncident).handle(
    async ({ actor, body }) => ({
      status: 201,
      body: { success: true, data: await startIncident(ctx, actor, body) },
    }),
    ({ act, keys, confirmation }) => {
      if (!act || !keys || confirmation === undefined) return {};
      const problem = findConfirmationProblem({ act, keys, confirmation });
      return problem === null ? {} : { confirmation: [problem] };
    },
  );

  mount(app, ctx, contract.listIncidents).handle(async ({ actor }) => ({
    status: 200,
    body: { success: true, data: await listIncidents(ctx, actor) },
  }));

  mount(app, ctx, contract.getIncident).handle(async ({ actor, params }) => ({
    status: 200,
    body: { success: true, data: await getIncident(ctx, actor, params) },
  }));

  mount(app, ctx, contract.cancelIncident).handle(async ({ actor, params }) => ({
    status: 200,
    body: { success: true, data: await cancelIncident(ctx, actor, params) },
  }));
}
