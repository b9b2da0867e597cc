import { type Routes, findChange, findRead, routes } from '../contract/routes.ts';
import type { RouteDefinition } from '../contract/route.ts';
import type { OperationPage } from './operation-page.ts';

/** How someone who is signed in can try an operation on its page, or why they cannot. */
export type Trial =
  | { kind: 'read' | 'change' }
  | { kind: 'none'; why: string; page?: { path: string; label: string } };

/** @param name the name of an operation of the reference */
export function trialOf(name: string): Trial {
  if (findRead(name)) return { kind: 'read' };
  if (findChange(name)) return { kind: 'change' };
  const route: RouteDefinition | undefined = routes[name as keyof Routes];
  if (name in inDashboard)
    return { kind: 'none', ...inDashboard[name as keyof typeof inDashboard] };
  const why = route?.streams ? 'streams its response' : 'is only for API keys';
  return { kind: 'none', why: `This operation ${why}. Use a sample in your terminal.` };
}

/** Operations that people carry out in the dashboard, but that cannot be tried. */
type InDashboard = {
  [Name in keyof Routes]: Routes[Name] extends { inDashboard: true } & (
    | { oneTime: true }
    | { streams: object }
  )
    ? Name
    : never;
}[keyof Routes];

const inDashboard: Record<InDashboard, { why: string; page: { path: string; label: string } }> = {
  createApiKey: {
    why: 'The response contains a token, which is shown only once, so it cannot be tried here. In the dashboard, choose Create key.',
    page: { path: 'settings/api-keys/new', label: 'Create key' },
  },
  rotateApiKey: {
    why: 'The response contains a token, which is shown only once, so it cannot be tried here. In the dashboard, choose Rotate token on the page of the key.',
    page: { path: 'settings/api-keys', label: 'API keys' },
  },
  regenerateWebhookSecret: {
    why: 'The response contains a signing secret, which is shown only once, so it cannot be tried here. In the dashboard, choose Regenerate secret on the page of the webhook.',
    page: { path: 'settings/webhooks', label: 'Webhooks' },
  },
  exportAuditLog: {
    why: 'The response is a file, so it cannot be tried here. In the dashboard, export the audit log on its page.',
    page: { path: 'settings/audit-log', label: 'Audit log' },
  },
};

/** What the form needs in which an operation is tried. */
export type TriedOperation = Pick<OperationPage, 'name' | 'title' | 'method' | 'path'> & {
  parameters: readonly { part: 'params' | 'query'; name: string }[];
  /** The body of the sample as JSON; null if the operation takes none. */
  body: string | null;
  /** Whether it takes an idempotency key: a request that is sent again is carried out once. */
  isRepeatable: boolean;
};

export function triedOperation({
  name,
  title,
  method,
  path,
  ...page
}: OperationPage): TriedOperation {
  const { parameters, repeats, call } = page;
  return {
    name,
    title,
    method,
    path,
    parameters: parameters.flatMap(({ name: parameter, place }) =>
      place === 'path' || place === 'query'
        ? [{ part: place === 'path' ? ('params' as const) : ('query' as const), name: parameter }]
        : [],
    ),
    body: parameters.some(({ place }) => place === 'body')
      ? JSON.stringify(call.body ?? {}, null, 2)
      : null,
    isRepeatable: repeats !== null,
  };
}
