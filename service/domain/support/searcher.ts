/** Who searches, with what decides which accounts they can open now. */
export type Searcher = {
  personId: string;
  sessionId: string;
  isSupporter: boolean;
  hasFactor: boolean;
  /** When they signed in: each account says how long ago that may be. */
  sessionBegan: Date;
  now: Date;
};
