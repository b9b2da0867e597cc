/** A person who searches, with the facts that decide which accounts they can open now. */
export type Searcher = {
  personId: string;
  sessionId: string;
  isSupporter: boolean;
  hasFactor: boolean;
  /** When they signed in: each account limits how long ago that may be. */
  sessionBegan: Date;
  now: Date;
};
