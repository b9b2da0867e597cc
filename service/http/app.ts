import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { allRoutes } from '#lib/contract/routes.ts';
import type { Context } from '../context.ts';
import { ServiceError } from '../domain/errors.ts';
import { authorize } from './middleware/authorize.ts';
import { honoPath } from './mount.ts';
import { handleCall } from './handle-call.ts';
import {
  mountApiKeyRoutes,
  mountCallRoutes,
  mountUnconfirmedTokenRoutes,
} from './routes/api-keys/api-keys.ts';
import { mountAuditLogRoutes } from './routes/audit-log.ts';
import { mountConversationRoutes } from './routes/conversations.ts';
import { mountSetUpRoutes, mountSignInRoutes } from './routes/people/sign-in.ts';
import { mountSessionRoutes } from './routes/people/sessions.ts';
import { mountQuotaRoutes } from './routes/quotas.ts';
import { mountSupportDeskRoutes } from './routes/support-desk.ts';
import { mountInstallationSupportRoutes } from './routes/people/accounts/installation-support.ts';
import { mountIncidentRoutes } from './routes/api-keys/incidents/incidents.ts';
import { mountInvitationRoutes } from './routes/people/accounts/invitations.ts';
import { mountAccountRoutes, mountMemberRoutes } from './routes/people/accounts/accounts.ts';
import { mountSecondFactorRoutes } from './routes/people/second-factors.ts';
import { mountDeliveryRoutes } from './routes/webhooks/deliveries.ts';
import { mountMailPreferenceRoutes, mountProfileRoutes } from './routes/people/profile.ts';
import { mountEmailChangeRoutes } from './routes/people/email-changes.ts';
import {
  mountEventFeedRoutes,
  mountEventRoutes,
  mountEventTypeRoutes,
} from './routes/webhooks/events.ts';
import { mountOpenApiRoute, openApiRoute } from './routes/openapi.ts';
import { mountLinkRoutes } from './routes/people/links.ts';
import { mountProvisioningRoutes } from './routes/provisioning.ts';
import { mountPasswordResetRoutes } from './routes/people/password-resets.ts';
import { mountReplayRoutes } from './routes/webhooks/replays.ts';
import { mountRotationRequestRoutes } from './routes/api-keys/rotation-requests/rotation-requests.ts';
import { mountWebhookRoutes, mountWebhookTargetRoutes } from './routes/webhooks/webhooks.ts';

/** The JSON API: everything under `/api`. */
export function createApp(ctx: Context): Hono {
  const app = new Hono();

  mountWebhookRoutes(app, ctx);
  mountApiKeyRoutes(app, ctx);
  mountUnconfirmedTokenRoutes(app, ctx);
  mountCallRoutes(app, ctx);
  mountConversationRoutes(app, ctx);
  mountAuditLogRoutes(app, ctx);
  mountEventTypeRoutes(app, ctx);
  mountDeliveryRoutes(app, ctx);
  mountReplayRoutes(app, ctx);
  mountEventRoutes(app, ctx);
  mountEventFeedRoutes(app, ctx);
  mountSignInRoutes(app, ctx);
  mountSessionRoutes(app, ctx);
  mountWebhookTargetRoutes(app, ctx);
  mountQuotaRoutes(app, ctx);
  mountSetUpRoutes(app, ctx);
  mountAccountRoutes(app, ctx);
  mountSecondFactorRoutes(app, ctx);
  mountMemberRoutes(app, ctx);
  mountInvitationRoutes(app, ctx);
  mountLinkRoutes(app, ctx);
  mountPasswordResetRoutes(app, ctx);
  mountProfileRoutes(app, ctx);
  mountMailPreferenceRoutes(app, ctx);
  mountEmailChangeRoutes(app, ctx);
  mountInstallationSupportRoutes(app, ctx);
  mountSupportDeskRoutes(app, ctx);
  mountRotationRequestRoutes(app, ctx);
  mountIncidentRoutes(app, ctx);
  mountProvisioningRoutes(app, ctx);
  mountOpenApiRoute(app, ctx);

  const allowedMethods = methodsOfPaths([...allRoutes, openApiRoute]);
  app.notFound(
    handleCall(ctx, null, async (call) => {
      const known = allowedMethods(call.path);
      await authorize(ctx, call, known?.isPublic ? { access: 'public' } : null);
      if (!known) throw new ServiceError('NOT_FOUND');
      call.setHeader('Allow', known.methods);
      throw new ServiceError('METHOD_NOT_ALLOWED');
    }),
  );
  return app;
}

type KnownRoute = Pick<RouteDefinition, 'method' | 'path' | 'access' | 'streams'>;
type KnownPath = { methods: string; isPublic: boolean };

/**
 * The methods of a path. A path with an unknown method gets a 405, but only authenticated callers
 * learn that the path exists. This uses a separate router, because each route of the API would
 * otherwise have two handlers.
 */
function methodsOfPaths(routes: readonly KnownRoute[]): (path: string) => KnownPath | null {
  const router = new TrieRouter<KnownRoute>();
  for (const route of routes) router.add('ALL', honoPath(route.path), route);
  return (path) => {
    const ofPath = router.match('ALL', path)[0].map(([route]) => route);
    if (ofPath.length === 0) return null;
    return {
      methods: [...new Set(ofPath.flatMap(methodsOf))].join(', '),
      isPublic: ofPath.every(({ access }) => access === 'public'),
    };
  };
}

/** Hono serves HEAD with the handler for GET, except where `mount` refuses it. */
function methodsOf({ method, streams }: KnownRoute): string[] {
  return method === 'GET' && !streams ? ['GET', 'HEAD'] : [method];
}
