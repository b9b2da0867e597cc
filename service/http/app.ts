import { Hono } from 'hono';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { dashboardRoutes, publicRoutes } from '#lib/contract/routes.ts';
import type { Context } from '../context.ts';
import { ServiceError } from '../domain/errors.ts';
import type { AppEnv } from './call.ts';
import { answerError } from './errors/errors.ts';
import { authorize } from './middleware/authorize.ts';
import { identify } from './middleware/identify.ts';
import { honoPath } from './mount.ts';
import { mountApiKeyRoutes } from './routes/api-keys/api-keys.ts';
import { mountAuditLogRoutes } from './routes/audit-log.ts';
import { mountConversationRoutes } from './routes/conversations.ts';
import { mountDashboardRoutes } from './routes/dashboard.ts';
import { mountSupportDeskRoutes } from './routes/support-desk.ts';
import { mountInstallationSupportRoutes } from './routes/people/installation-support.ts';
import { mountIncidentRoutes } from './routes/api-keys/incidents.ts';
import { mountInvitationRoutes } from './routes/people/invitations.ts';
import { mountAccountRoutes } from './routes/people/accounts.ts';
import { mountMemberRoutes } from './routes/people/members.ts';
import { mountSecondFactorRoutes } from './routes/people/second-factors.ts';
import { mountDeliveryRoutes } from './routes/webhooks/deliveries.ts';
import { mountProfileRoutes } from './routes/people/profile.ts';
import { mountEventTypeRoutes } from './routes/webhooks/event-types.ts';
import { mountEventRoutes } from './routes/webhooks/events.ts';
import { mountOpenApiRoute } from './routes/openapi.ts';
import { mountPasswordResetRoutes } from './routes/people/password-resets.ts';
import { mountReplayRoutes } from './routes/webhooks/replays.ts';
import { mountRotationRequestRoutes } from './routes/api-keys/rotation-requests.ts';
import { mountWebhookRoutes } from './routes/webhooks/webhooks.ts';

/** The JSON API: everything under `/api`. */
export function createApp(ctx: Context): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(identify(ctx));
  app.onError((error, call) => answerError(call, error, ctx.log));

  mountWebhookRoutes(app, ctx);
  mountApiKeyRoutes(app, ctx);
  mountConversationRoutes(app, ctx);
  mountAuditLogRoutes(app, ctx);
  mountEventTypeRoutes(app, ctx);
  mountDeliveryRoutes(app, ctx);
  mountReplayRoutes(app, ctx);
  mountEventRoutes(app, ctx);
  mountDashboardRoutes(app, ctx);
  mountAccountRoutes(app, ctx);
  mountSecondFactorRoutes(app, ctx);
  mountMemberRoutes(app, ctx);
  mountInvitationRoutes(app, ctx);
  mountPasswordResetRoutes(app, ctx);
  mountProfileRoutes(app, ctx);
  mountInstallationSupportRoutes(app, ctx);
  mountSupportDeskRoutes(app, ctx);
  mountRotationRequestRoutes(app, ctx);
  mountIncidentRoutes(app, ctx);
  mountOpenApiRoute(app);
  refuseOtherMethods(app, ctx, [...publicRoutes, ...dashboardRoutes]);

  app.notFound(async (call) => {
    try {
      await authorize(ctx, call, null);
      throw new ServiceError('NOT_FOUND');
    } catch (error) {
      return answerError(call, error, ctx.log);
    }
  });
  return app;
}

/** A known path with another method is 405, told to authenticated callers only. */
function refuseOtherMethods(
  app: Hono<AppEnv>,
  ctx: Context,
  routes: readonly RouteDefinition[],
): void {
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const allowed = ofPath.map((route) => route.method).join(', ');
    const isPublic = ofPath.every((route) => route.access === 'public');
    app.all(honoPath(path), async (call) => {
      await authorize(ctx, call, isPublic ? { access: 'public' } : null);
      call.header('Allow', allowed);
      throw new ServiceError('METHOD_NOT_ALLOWED');
    });
  }
}
