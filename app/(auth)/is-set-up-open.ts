import 'server-only';
import { call } from '#lib/api/call.ts';
import { routes } from '#lib/contract/routes.ts';

/** Whether the service still waits for its first person. @throws ApiError */
export async function isSetUpOpen(): Promise<boolean> {
  return (await call(routes.getSetUp, {})).data.open;
}
