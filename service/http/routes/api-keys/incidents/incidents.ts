import type { Hono } from 'hono';
import * as contract from '#lib/contract/api-keys/incidents/incidents.ts';
import type { Context } from '../../../../context.ts';
import { cancelIncident } from '../../../../domain/api-keys/incident/cancel-incident.ts';
import { getIncident, listIncidents } from '../../../../domain/api-keys/incident/read-incidents.ts';
import { previewIncident } from '../../../../domain/api-keys/incident/preview-incident.ts';
import {
  findConfirmationProblem,
  startIncident,
} from '../../../../domain/api-keys/incident/start-incident.ts';
import { mount } from '../../../mount.ts';

export function mountIncidentRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.previewIncident).respond(
    async ({ actor, body }) => await previewIncident(ctx, actor, body),
  );

  mount(app, ctx, contract.startIncident).respond(
    async ({ actor, body }) => await startIncident(ctx, actor, body),
    ({ act, keys, confirmation }) => {
      if (!act || !keys) return {};
      const problem = findConfirmationProblem({ act, keys, confirmation });
      return problem === null ? {} : { confirmation: [problem] };
    },
  );

  mount(app, ctx, contract.listIncidents).respond(
    async ({ actor }) => await listIncidents(ctx, actor),
  );

  mount(app, ctx, contract.getIncident).respond(
    async ({ actor, params }) => await getIncident(ctx, actor, params),
  );

  mount(app, ctx, contract.cancelIncident).respond(
    async ({ actor, params }) => await cancelIncident(ctx, actor, params),
  );
}
