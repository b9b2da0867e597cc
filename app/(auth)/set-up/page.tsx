import { SetUp } from '#components/auth/set-up/set-up.tsx';
import { isSetUpOpen } from '#lib/api/people/session.ts';

import { serverInfo } from '../server-info.ts';
import { fallbackIfUnavailable } from '../fallback-if-unavailable.ts';
import { isActionAnswer } from '../is-action-answer.ts';

export default async function SetUpPage() {
  const isOpen = (await isActionAnswer()) || (await fallbackIfUnavailable(isSetUpOpen(), false));
  return <SetUp {...serverInfo()} isOpen={isOpen} />;
}
