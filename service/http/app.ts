import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { dashboardRoutes, publicRoutes } from '#lib/contract/routes.ts';
import type { Context } from '../context.ts';
import { ServiceError } from '../domain/errors.ts';
import { authorize } from './middleware/authorize.ts';
import { honoPath } from './mount.ts';
import { serve } from './serve.ts';
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
export function createApp(ctx: Context): Hono {
  const app = new Hono();

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
  mountOpenApiRoute(app, ctx);

  const allowedMethods = methodsOfPaths([...publicRoutes, ...dashboardRoutes]);
  app.notFound(
    serve(ctx, null, async (call) => {
      const known = allowedMethods(call.path);
      await authorize(ctx, call, known?.isPublic ? { access: 'public' } : null);
      if (!known) throw new ServiceError('NOT_FOUND');
      call.setHeader('Allow', known.methods);
      throw new ServiceError('METHOD_NOT_ALLOWED');
    }),
  );
  return app;
}

type KnownPath = { methods: string; isPublic: boolean };

/**
 * Gives what is known of a path: with another method it is 405, told to authenticated callers only.
 * In a router of its own, since each route there would otherwise have two handlers.
 */
function methodsOfPaths(routes: readonly RouteDefinition[]): (path: string) => KnownPath | null {
  const router = new TrieRouter<KnownPath>();
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    router.add('ALL', honoPath(path), {
      methods: ofPath.map((route) => route.method).join(', '),
      isPublic: ofPath.every((route) => route.access === 'public'),
    });
  }
  return (path) => router.match('ALL', path)[0][0]?.[0] ?? null;
}
