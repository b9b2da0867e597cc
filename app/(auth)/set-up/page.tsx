import { SetUp } from '#components/auth/set-up/set-up.tsx';
import { isSetUpOpen } from '../is-set-up-open.ts';
import { serverInfo } from '../server-info.ts';
import { fallbackIfUnavailable } from '../fallback-if-unavailable.ts';
import { isActionResponse } from '../is-action-response.ts';

export default async function SetUpPage() {
  const isOpen = (await isActionResponse()) || (await fallbackIfUnavailable(isSetUpOpen(), false));
  return <SetUp {...serverInfo()} isOpen={isOpen} />;
}
