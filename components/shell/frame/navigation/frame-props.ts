import type { Session } from '#lib/contract/people/sessions.ts';

export type FrameProps = {
  /** The session for which the page was rendered. */
  session: Session;
  /** The version of the service. */
  version: string;
};
