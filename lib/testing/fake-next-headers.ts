import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The parts of a request to the dashboard that a server action reads. The action changes `cookies`.
 */
type DashboardRequest = {
  headers: Headers;
  cookies: Map<string, string>;
  /** Called for each cookie that is set. */
  onSetCookie?: (name: string, value: string, attributes?: object) => void;
};

const current = new AsyncLocalStorage<DashboardRequest>();

/** Runs a server action as Next does for a request. */
export async function inRequest<Result>(
  request: DashboardRequest,
  act: () => Promise<Result>,
): Promise<Result> {
  return await current.run(request, act);
}

/** Replaces `headers` of `next/headers` in tests; vitest.config.ts sets the alias. */
export async function headers(): Promise<Headers> {
  return ofRequest().headers;
}

/** The same for `cookies`. */
export async function cookies(): Promise<{
  get: (name: string) => { value: string } | undefined;
  set: (name: string, value: string, attributes?: object) => void;
}> {
  const { cookies: kept, onSetCookie } = ofRequest();
  return {
    get(name) {
      const value = kept.get(name);
      return value === undefined ? undefined : { value };
    },
    set(name, value, attributes) {
      kept.set(name, value);
      onSetCookie?.(name, value, attributes);
    },
  };
}

function ofRequest(): DashboardRequest {
  const request = current.getStore();
  if (!request) throw new Error('no request is being handled');
  return request;
}
