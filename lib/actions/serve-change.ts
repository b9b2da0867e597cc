import 'server-only';
import { apiError, errorBody } from '../api/api-error.ts';
import { type ServiceResponse, call } from '../api/call.ts';
import { noStore, respondToOwnPage } from '../api/serve-read.ts';
import { findChange, routes } from '../contract/routes.ts';
import { parseJson } from '../parse-json.ts';
import type { ActionResult } from './action-result.ts';
import { action } from './action.ts';

/** What the documentation sends to try a change: who was asked whether to do it, and the input. */
export type GivenChange = { person: string; input: object };

/** The result of the action, with the response of the service. */
export type TriedChange = { result: ActionResult; response: ServiceResponse };

/**
 * Carries out a change that someone tries in the documentation, in the account that the address
 * names, by the same action as in the dashboard. All tabs share one session, so it refuses if
 * someone else signed in after the page was opened.
 *
 * @param name the route's name, as the address has it
 */
export async function serveChange(request: Request, name: string): Promise<Response> {
  return await respondToOwnPage(request, async () => {
    const route = findChange(name);
    if (!route) throw apiError('NOT_FOUND');
    const { person, input } = Object(parseJson(await request.text())) as Partial<GivenChange>;
    const sent: ServiceResponse[] = [];
    const act = action(route, {
      skip: async () => {
        const { data } = await call(routes.getSession, {});
        if (data.person.id !== person) throw apiError('FORBIDDEN', { message: otherPerson });
        return null;
      },
      onResponse: (response) => void sent.push(response),
    });
    // The action parses the input, so it may have any type.
    const result = await act(input as never);
    const [response = responseWithoutCall(result)] = sent;
    const tried: TriedChange = { result: result.ok ? { ok: true } : result, response };
    // oxlint-disable-next-line browser-floor/supported -- only the server calls this
    return Response.json(tried, { headers: noStore });
  });
}

/** The response to what the action refused itself. */
function responseWithoutCall(result: ActionResult): ServiceResponse {
  if (result.ok || result.code === 'PAGE_OUTDATED') throw new Error('The service was not called.');
  const error = apiError(result.code, { ...result });
  const { status, requestId } = error;
  return { status, requestId, text: JSON.stringify(errorBody(error)) };
}

const otherPerson = 'Someone else signed in after this page was opened. Reload the page.';
